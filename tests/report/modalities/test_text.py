"""Sentences are shown word by word."""

from dataclasses import replace

from holdfast.report.html import render
from holdfast.report.modality import Room, modality
from tests.report.synthetic import make_findings

FINDINGS = make_findings()


def test_words_have_bars_as_long_as_there_is_room():
    roomy, tight = (modality("text").shown(FINDINGS, Room(bars, 0)) for bars in (10_000, 0))
    assert all(one.maps[0].seeds for one in roomy["families"][0].blocks)
    assert not any(one.maps[0].seeds for one in tight["families"][0].blocks)


def test_what_is_not_the_truth_is_labelled():
    wrong = tuple(replace(one, label="other") for one in FINDINGS.examples)
    assert "(labelled other)" in render(replace(FINDINGS, examples=wrong))

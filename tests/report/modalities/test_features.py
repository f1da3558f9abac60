"""Tables are drawn as bars."""

from holdfast.report.modality import Room, modality
from holdfast.study.findings_file import read_findings
from tests.study.tables import audited


def test_rows_are_drawn_while_there_is_room():
    own, found = modality("features"), read_findings(audited().run)
    (family,) = own.shown(found, Room(24_000, 0))["families"]
    assert len(family.rows) == 6
    assert own.shown(found, Room(0, 0))["families"] == ()
    assert own.unit.name == "column"

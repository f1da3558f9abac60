from pathlib import Path

from holdfast.core import places


def test_what_one_process_was_told_another_can_learn(monkeypatch, tmp_path):
    monkeypatch.setattr(places, "_PLACES", {})
    monkeypatch.chdir(tmp_path)
    assert places.place_of("12ab") is None
    places.remember("12ab", Path("tiny"))
    told = places.places()
    assert told == {"12ab": str(tmp_path / "tiny")}
    monkeypatch.setattr(places, "_PLACES", {})
    places.learn(told)
    assert places.place_of("12ab") == tmp_path / "tiny"

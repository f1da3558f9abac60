"""A sealed note is read back as it was written, or not at all."""

import pytest

from holdfast.core.errors import BadRun
from holdfast.core.sealed import read_sealed, write_sealed

NOTE = {"best": 3, "history": [0.5, None, 1e-05], "why": "diverged: é", "of": {"a": True}}


@pytest.mark.parametrize("note", [{}, NOTE])
def test_there_and_back(tmp_path, note):
    write_sealed(tmp_path / "note.json", note)
    assert read_sealed(tmp_path / "note.json") == note


def test_every_flipped_bit_is_seen(tmp_path):
    path = tmp_path / "note.json"
    write_sealed(path, NOTE)
    data = path.read_bytes()
    for place in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        with pytest.raises(BadRun, match=r"note\.json is (damaged|not readable JSON)"):
            read_sealed(path)


@pytest.mark.parametrize(
    "text",
    ["[]", "3", "{}", '{"a": NaN, "checksum": "0"}', '{"a": "\\ud800", "checksum": "0"}', '{"a": 1}\n'],
)
def test_json_without_its_checksum_is_damaged(tmp_path, text):
    (tmp_path / "note.json").write_text(text)
    with pytest.raises(BadRun, match=r"note\.json is damaged: its content is not what its checksum says$"):
        read_sealed(tmp_path / "note.json")

"""Images are shown as grids of heat maps."""

from holdfast.report.modality import Room, modality
from tests.report.synthetic import imaged


def test_maps_are_left_out_where_there_is_no_room_and_that_is_said():
    own = modality("image")
    roomy, tight = (own.shown(imaged(), Room(0, size)) for size in (10**7, 0))
    assert roomy["images"]
    assert not roomy["left_out"]
    assert (tight["images"], tight["left_out"]) == ([], True)

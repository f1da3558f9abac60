import io
import struct
import zlib
from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.report.charts.palette import AGAINST, FOR
from holdfast.report.images import LEVELS, describe_picture, full_of, picture_link, picture_png, png
from holdfast.study.picture import Picture


def picture(values, explainer="lrp", width=2, peak=1.0):
    height = len(values) // width
    return Picture("digits", "deep", explainer, 0, 3, "1", "1", height, width, tuple(values), peak=peak)


def read(data: bytes) -> list[tuple[int, ...]]:
    """The pixels as (red, green, blue, opacity), by the letter of the PNG specification."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    stream, parts = io.BytesIO(data[8:]), {}
    while head := stream.read(8):
        length, kind = struct.unpack(">I4s", head)
        parts[kind] = stream.read(length)
        assert struct.unpack(">I", stream.read(4))[0] == zlib.crc32(kind + parts[kind])
    width, height, depth, colours, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert (depth, colours, rest) == (8, 3, [0, 0, 0])
    lines, palette, alphas = zlib.decompress(parts[b"IDAT"]), parts[b"PLTE"], parts[b"tRNS"]
    found = []
    for y in range(height):
        line = lines[y * (width + 1) : (y + 1) * (width + 1)]
        assert line[0] == 0
        found += [(*palette[3 * i : 3 * i + 3], alphas[i]) for i in line[1:]]
    return found


@given(st.lists(st.integers(-127, 127), min_size=6, max_size=6))
def test_red_speaks_for_and_blue_against_as_strongly_as_the_value(values):
    for value, (*colour, alpha) in zip(values, read(picture_png(picture(values))), strict=True):
        step = round(LEVELS * value / 127)
        assert alpha == round(255 * abs(step) / LEVELS)
        if step:
            assert tuple(colour) == (FOR if step > 0 else AGAINST)


def opacities(one, **asked):
    return [pixel[3] for pixel in read(picture_png(one, **asked))]


@pytest.mark.parametrize(("full", "shown"), [(1.0, 255), (2.0, 136), (4.0, 68), (0.5, 255), (60.0, 0)])
def test_what_is_drawn_in_full_colour(full, shown):
    """Half as strong is 8 of 15 steps, a quarter 4; beyond full there is nothing."""
    assert opacities(picture([127, -127]), full=full) == [shown, shown]
    assert opacities(picture([127, -127], peak=0.5), full=full / 2) == [shown, shown]


def test_the_scale_is_shared_and_one_pixel_does_not_set_it():
    spread = picture([127] * 100, width=10, peak=0.01)
    point = picture([127] + [0] * 99, width=10, peak=1.0)
    assert full_of([spread]) == 0.01
    assert full_of([point]) == 1.0  # all but one pixel is 0, so there is nothing else to go by
    assert full_of([spread, point]) == 1.0  # one in 200
    assert full_of([spread] * 3 + [point]) == 0.01  # one in 400
    assert full_of([]) == 0.0
    assert opacities(picture([0, 0], peak=0.0), full=full_of([picture([0, 0], peak=0.0)])) == [0, 0]


def test_where_only_positive_relevance_is_drawn_it_sets_the_scale():
    one = picture([64, -127])
    assert full_of([one]) == 1.0
    assert full_of([one], positive=True) == pytest.approx(64 / 127)
    assert opacities(one, positive=True, full=full_of([one], positive=True)) == [255, 0]


def test_positive_relevance_alone_leaves_the_rest_empty():
    assert [pixel[3] for pixel in read(picture_png(picture([127, -127]), positive=True))] == [255, 0]


def test_an_image_of_the_data_is_drawn_in_its_own_grey_levels():
    """0 is black and 1 white; a dim image stays dim, and nothing of the page shows through."""
    shown = read(picture_png(picture([127, 0], explainer="input"), full=0.25))
    assert shown == [(255, 255, 255, 255), (0, 0, 0, 255)]
    dim = read(picture_png(picture([127, 64], explainer="input", peak=0.5)))
    assert dim == [(129, 129, 129, 255), (64, 64, 64, 255)]


def test_a_link_holds_the_file():
    one = picture([1, 2])
    kind, _, text = picture_link(one).partition(",")
    assert (kind, b64decode(text)) == ("data:image/png;base64", picture_png(one))


def test_the_wrong_number_of_pixels_is_refused():
    with pytest.raises(BadSetting, match=r"^image: expected 2 × 2 pixels, but got 3$"):
        png(2, 2, b"123", [FOR], b"\0")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0, 0, 0], "x: empty"),
        ([10, 0, 0], "x: 100 % left, 0 % centre, 0 % right"),
        ([6, 0, -4], "x: 60 % left, 0 % centre, 40 % right; 40 % of it against"),
    ],
)
def test_a_picture_is_told_in_words(values, said):
    assert describe_picture(picture(values, width=3), "x") == said

from holdfast.report.explained_row import render_row
from holdfast.report.modality import modality
from tests.report.test_bars import example, heat


def test_the_page_of_a_row_has_bars_and_nothing_live():
    page = render_row(example(heat()), modality("features").unit)
    assert "One row as 2 seeds see it" in page
    assert "job = &lt;b&gt;" in page
    assert "job = <b>" not in page
    assert page.count("<tr>") == 3
    assert page == render_row(example(heat()), modality("features").unit)


def test_a_cell_has_a_gauge_and_dots_as_far_as_there_is_room():
    unit = modality("features").unit
    cell = render_row(example(heat()), unit, cell=True)
    assert cell.startswith('<div class="holdfast"><style>')
    assert '<div class="scale"' in cell
    assert "job = <b>" not in cell
    assert 'class="seed"' in cell
    assert 'class="seed"' not in render_row(example(*[heat()] * 5), unit, cell=True)

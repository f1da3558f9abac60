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

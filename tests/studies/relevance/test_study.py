from holdfast.studies.relevance.measures import relevance_rows
from holdfast.studies.relevance.published_tables import tukey_rows
from holdfast.studies.relevance.study import own_claims, own_rows, published
from tests.study.strips import cells


def test_rows_of_every_cell_and_the_comparison_of_all():
    rows = own_rows(cells())
    each = [row for cell in cells() for row in relevance_rows(cell)]
    assert rows == [*each, *tukey_rows(each)]
    assert {(row.model, row.other) for row in rows if row.quantity == "tukey"} == {("rlstm_sd", "shallow")}


def test_small_data_have_no_published_twin_and_claims_need_their_cells():
    rows = own_rows(cells()[:1])
    assert published(rows) == []
    assert own_claims(rows) == []

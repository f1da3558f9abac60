from dataclasses import replace

from holdfast.report.ranking import ranking_table
from tests.later import Later
from tests.study.rollout_made import made_rows

ROWS = Later(made_rows)


def test_ranking_is_sampled_and_over_all():
    rows = [r for r in ROWS if (r.quantity, r.bin) != ("hr@10", "sampled")]
    table = ranking_table(rows)
    assert len(table.rows) == 8
    assert table.columns[2:5] == ("recall@10 %", "ndcg@10, sampled", "mrr, sampled")
    assert table.columns[5:] == tuple(f"{name}, all items" for name in ("hr@10", "ndcg@10", "mrr"))
    assert [entry.value for entry in table.rows[0][2:]] == [0.815, 0.5, None, None, 0.5, None]
    assert not ranking_table([]).rows


def test_hits_among_the_sampled_are_shown_where_they_are_not_recall():
    one = next(r for r in ROWS if (r.quantity, r.bin) == ("ndcg@10", "sampled"))
    table = ranking_table([*ROWS, replace(one, quantity="hr@10", value=0.25)])
    assert table.columns[3] == "hr@10, sampled"
    assert table.rows[0][3].value == 0.25

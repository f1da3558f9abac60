import torch

from holdfast.core.records import Explanation, Member
from holdfast.study.findings_file import read_findings
from holdfast.study.importance import importance
from tests.study.tables import audited

MEMBERS = (Member(0), Member(1))


def test_shares_are_means_of_sizes():
    scores = torch.tensor([[[1.0, -1.0, 0.0], [0.0, 0.0, 2.0]], [[0.0, 0.0, 0.0], [0.0, 3.0, 0.0]]])
    one = Explanation(scores, torch.ones(2, 3, dtype=torch.bool), torch.tensor([0, 0]), MEMBERS, "mine", True)
    assert importance(one).tolist() == [[0.25, 0.25, 0.5], [0.0, 1.0, 0.0]]
    nothing = Explanation(scores * 0, one.mask, one.target, MEMBERS, "mine", True)
    assert not importance(nothing).any()


def test_rows_have_the_columns_in_their_order_and_no_floor():
    rows = [row for row in read_findings(audited().run).rows if row.quantity == "importance"]
    assert {row.explainer for row in rows} == {"shapley", "leave_one_out", "permutation"}
    own = [row for row in rows if row.explainer == "leave_one_out"]
    assert [row.value for row in own] == sorted((row.value for row in own), reverse=True)
    assert {(row.bin, row.at) for row in own} == {("age", 0.0), ("job", 1.0), ("debt", 2.0)}
    assert all(row.n == 3 and row.low <= row.value <= row.high for row in own)

"""Of several explanations every one is judged, by all rows of which something is known."""

import torch

from holdfast.measure.learned import learned
from holdfast.study.recipe.findings import recipe_findings
from holdfast.study.recipe.kept import kept_in
from tests.study.recipe import recipes
from tests.study.recipe.test_run import recipe, run


def test_every_explanation_is_judged_and_every_row_counts(tmp_path):
    def explain(model, inputs, target):
        own = recipes.explain(model, inputs, target)
        return {"linear": own, "backwards": own[:, ::-1].copy()}

    plan, rows, _ = run(tmp_path, recipe(explain=explain), 4)
    answer = recipe_findings(plan, rows, kept_in(tmp_path), "holdfast audit --seeds 4").answer
    shares = {row.explainer: row.question("matters").value for row in answer.rows}
    assert set(shares) == {"linear", "backwards"}
    assert shares["linear"] > 0.9 > shares["backwards"]
    odds = torch.stack([kept_in(tmp_path).tensors(f"seed-{seed}")["probabilities"] for seed in range(4)])
    truth = torch.tensor(recipes.Y[recipes.TEST])
    wanted = learned((odds.argmax(-1) == truth).double(), 0.0, "", "accuracy").value
    assert answer.quality["mean"] == float((odds.argmax(-1) == truth).double().mean())
    assert abs(wanted - answer.quality["mean"]) < 1e-12, "of 80 rows, 20 of which are explained"
    assert {row.nearest for row in answer.rows} <= {"shuffled", "another input", "untrained order"}
    assert all("untrained order" in row.against for row in answer.rows)

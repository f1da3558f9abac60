import json

import pytest

from holdfast.core.schema import SCHEMA
from holdfast.study.compare import compare_runs
from holdfast.study.findings_file import read_findings
from tests.study.tiny import finished


@pytest.mark.parametrize(
    "said",
    [
        lambda: read_findings(finished()).answer,
        lambda: read_findings(finished()).examples[0],
        lambda: compare_runs(finished(), finished("aswa")),
    ],
    ids=["audit", "explain", "compare"],
)
def test_whatever_is_said_in_json_has_the_same_version(said):
    assert json.loads(json.dumps(said().to_json(), allow_nan=False))["schema"] == SCHEMA

import pytest

from holdfast.report.html import render
from holdfast.study.findings import Findings
from tests.report.synthetic import make_findings


@pytest.fixture(scope="session")
def findings() -> Findings:
    return make_findings()


@pytest.fixture(scope="session")
def page(findings: Findings) -> str:
    return render(findings)

"""Sets are read from the folders that tests make, whatever data this machine has."""

import pytest


@pytest.fixture(autouse=True)
def no_other_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)

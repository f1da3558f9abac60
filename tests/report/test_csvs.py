import csv
import io
from dataclasses import fields
from pathlib import Path

from holdfast.data.source import Source
from holdfast.report.csvs import claims_csv, published_csv, read_published, rows_csv
from holdfast.studies.relevance.claims import own_claims as cosine_claims
from holdfast.studies.seed_stability.claims import own_claims
from holdfast.study.measurement import Measurement
from holdfast.study.plan import Plan
from holdfast.study.published_number import Published
from holdfast.train.fit import Fit
from holdfast.train.optimise import Sgd
from tests.study.relevance_rows import cosine_rows
from tests.study.seeds import family

PLAN = Plan((Source("sst2"),), fit=Fit(optimiser=Sgd(lr=0.5)))


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_published_rows_there_and_back(tmp_path: Path) -> None:
    rows = [
        Published("4.2", "SST cnn none", "sd", 1.01, 0.5, None, 2.5, 10),
        Published("4.2", "Diabetes cnn none", "sd", 2.26, None, None, None, 0, "cannot be had"),
    ]
    (tmp_path / "published.csv").write_bytes(published_csv(rows))
    assert read_published(tmp_path / "published.csv") == rows


def test_a_claim_has_its_number_its_p_and_what_it_is_about() -> None:
    rows = [*family(), *family(repair="aswa", kl=0.1), *family(model="cnn:attention=dot")]
    claims = own_claims(rows)
    lines = read(claims_csv(claims, PLAN))
    assert len(lines) == len(claims)
    first, last = lines[0], next(line for line in lines if line["claim"].startswith("with dot"))
    assert [first[name] for name in ("data", "model", "repair", "against")] == ["sst2", "cnn", "aswa", "none"]
    assert (first["optimiser"], first["attention"], first["answer"]) == ("sgd:lr=0.5", "additive", "came out")
    assert float(first["measured"]) == float(f"{claims[0].effect.value:.7g}")
    assert float(first["p_holm"]) >= float(first["p"])
    assert (last["model"], last["attention"], last["against"]) == ("cnn:attention=dot", "dot", "cnn")


def test_claims_of_other_studies_have_the_same_columns() -> None:
    first = read(claims_csv(cosine_claims(cosine_rows()), PLAN))[0]
    assert first["where"] == "mnist-maj and fashion-maj"
    assert (first["attention"], first["before"]) == ("", "")


def test_rows_have_every_column_that_says_what_a_number_is_of() -> None:
    (line,) = read(rows_csv([Measurement("sst2", "cnn", "none", "accuracy", 0.5)], PLAN))
    assert {*line} == {field.name for field in fields(Measurement)} - {"at"} | {"optimiser"}


def test_rows_have_no_word_of_the_data() -> None:
    rows = [
        Measurement("sst2", "cnn", "none", "word", 0.1, by="word", bin="1:secret"),
        Measurement("sst2", "cnn", "none", "path_x", 0.1, by="epoch", bin="1", member="0"),
        Measurement("sst2", "cnn", "none", "accuracy", 0.123456789, 0.1, None, 5),
    ]
    (line,) = read(rows_csv(rows, PLAN))
    assert [line[n] for n in ("quantity", "value", "low", "high")] == ["accuracy", "0.1234568", "0.1", ""]

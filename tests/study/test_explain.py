from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData, BadRun, BadSetting, Failed, UnknownName
from holdfast.explain.gradient import Gradient
from holdfast.study.explain import explain_text, kind_of, load_family
from holdfast.train.scores import Scored
from tests.study.strips import images
from tests.study.tiny import copied, finished, flip, plan, weights

TEXT = "A wonderful film, not a dull one!"


def test_every_seed_explains_the_class_they_favour_together() -> None:
    one = explain_text(finished(), TEXT)
    assert one.tokens == ("a", "wonderful", "film", ",", "not", "a", "dull", "one", "!")
    assert one.seeds == (0, 1, 2)
    assert one.target in ("negative", "positive")
    assert sum(one.probabilities) / 3 >= 0.5
    (heat,) = one.heats
    assert heat.explainer == "attention"
    assert len(heat.scores) == 3
    assert all(len(scores) == 9 for scores in (*heat.scores, heat.consensus))
    assert all(sum(scores) == pytest.approx(1, abs=1e-3) for scores in heat.scores)


def test_words_that_the_run_never_saw_are_marked() -> None:
    one = explain_text(finished(), "a wonderful zorblax film")
    assert one.unknown == (False, False, True, False)
    assert one.to_json()["unknown"] == (False, False, True, False)


def test_a_text_of_the_test_set_gets_the_scores_of_the_study() -> None:
    from holdfast.study.findings_file import read_findings

    known = read_findings(finished()).examples[0]
    names = tuple(heat.explainer for heat in known.heats)
    again = explain_text(finished(), " ".join(known.tokens), explainers=names)
    assert again.tokens == known.tokens
    assert again.target == known.target
    assert again.probabilities == pytest.approx(known.probabilities, abs=1e-4)
    for new, old in zip(again.heats, known.heats, strict=True):
        for a, b in zip(new.scores, old.scores, strict=True):
            assert a == pytest.approx(b, abs=2e-4)


def test_explainers_are_chosen_by_name() -> None:
    one = explain_text(finished(), TEXT, explainers=("gradient_input", "random"))
    assert [heat.explainer for heat in one.heats] == ["gradient_input", "random"]
    assert [heat.signed for heat in one.heats] == [True, False]


def test_any_spelling_of_the_runs_model_will_do() -> None:
    assert (
        explain_text(finished(), TEXT, model="cnn:filters=4, dim=8", repair="none").model == plan().models[0]
    )


@pytest.mark.parametrize(
    ("about", "error", "sentence"),
    [
        ({"text": " \t "}, BadData, "expected a text with at least one word, but got an empty one"),
        ({"query": "two"}, BadSetting, "the texts of planted are not pairs: leave --query out"),
        ({"model": "rnn"}, UnknownName, "unknown model of this run 'rnn' (there are: cnn:dim=8,filters=4)"),
        ({"repair": "aswa"}, UnknownName, "unknown repair of this run 'aswa' (there are: none)"),
    ],
)
def test_bad_use_is_one_sentence(about: dict[str, str], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        explain_text(finished(), **({"text": TEXT} | about))
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("about"), [{"explainers": ("atention",)}, {"model": "ccn"}, {"repair": "nonee"}])
def test_unknown_names_offer_the_nearest(about: dict[str, object]) -> None:
    with pytest.raises(UnknownName, match="did you mean"):
        explain_text(finished(), TEXT, **about)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["data-0.safetensors", "seed"])
def test_a_corrupt_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    run = copied(tmp_path / "run")
    path = weights(run, 2) if name == "seed" else run / name
    flip(path)
    with pytest.raises(BadRun, match=r"damaged: run its command again to repair it"):
        explain_text(run, TEXT)
    path.unlink()
    with pytest.raises(BadRun, match="run its command again"):
        explain_text(run, TEXT)


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="is not a run"):
        explain_text(tmp_path, TEXT)


def test_images_cannot_be_typed() -> None:
    with pytest.raises(BadSetting) as caught:
        explain_text(images(), TEXT)
    assert str(caught.value) == (
        f"{images()} is a run on images: "
        "expected a .npz or .npy file with an image, or --row for a test image"
    )


def test_a_file_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("review.txt", "good"):
        Path(name).write_text(TEXT)
    for name in ("review.txt", "three.npz", "nowhere.npy"):
        with pytest.raises(BadSetting) as caught:
            explain_text(finished(), name)
        assert str(caught.value) == (
            f"{finished()} is a run on texts: expected the text itself, in quotes, but got the file '{name}'"
        )
    assert explain_text(finished(), "good").tokens == ("good",)
    assert explain_text(finished(), TEXT + " dull" * 99).tokens[-1] == "dull"


def test_what_a_run_reads() -> None:
    assert (kind_of(images()), kind_of(finished())) == ("image", "text")


def test_an_explainer_that_does_not_suit_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_family(finished(), None, None)
    batch = loaded.dataset.read([TEXT])  # type: ignore[attr-defined]
    target = torch.tensor([0])
    nothing = Scored(torch.full((3, 1, 9), torch.nan), None)
    monkeypatch.setattr("holdfast.study.explain.explain", lambda *_, **__: nothing)
    with pytest.raises(Failed, match=r"^gradient: some of its scores are not finite: choose another"):
        loaded.explain("gradient", batch, target)

    def refuse(*_: object) -> None:
        raise BadSetting("gradient: not this model")

    monkeypatch.setattr(Gradient, "suits", refuse)
    with pytest.raises(BadSetting, match="not this model"):
        explain_text(finished(), TEXT, explainers=("gradient",))

"""What a study can measure; anything else is refused before training."""

from dataclasses import dataclass
from typing import Any

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.data.base import Kind
from holdfast.data.modality import modality
from holdfast.data.source import modality_of, reads
from holdfast.study.plan import Plan

HOW = "holdfast reproduce calibration --model {}, then holdfast explain RUN --user"


@dataclass(frozen=True)
class Needs:
    """The kind of data that a study is about, another that it can ``also`` measure, and whether its models
    must have attention and read in order."""

    reads: Kind
    attends: bool = False
    ordered: bool = False
    also: Kind | None = None

    def check(self, plan: Plan) -> None:
        """Refuse data of another kind, and models without attention where it is looked at."""
        for number, source in enumerate(plan.data):
            kind = reads(source)
            if kind not in (self.reads, self.also):
                raise BadSetting(
                    f"{plan.study}: expected {modality(self.reads).called} data set, but '{source.data}' is "
                    f"{modality_of(source).called} data set: choose another --data (see holdfast list data)"
                )
            for model in plan.models_of(number):
                self._check_model(plan.study, model, kind)

    def _check_model(self, study: str, model: str, kind: Kind) -> None:
        made = make("models", model)
        made.check_kind(kind)
        if self.attends and not made.attends:
            raise BadSetting(
                f"{study}: expected models with attention, but '{model}' has none: {self._choose}"
            )
        if self.ordered and not made.ordered:
            raise BadSetting(
                f"{study}: expected models that read a history in order, but '{model}' does not: "
                f"{self._choose}"
            )

    @property
    def _choose(self) -> str:
        known: dict[str, type] = catalogue("models")
        fit = [name for name, cls in known.items() if self._suits(cls)]
        return f"choose another --model ({', '.join(fit)})"

    def _suits(self, cls: Any) -> bool:
        return bool(self.reads in cls.reads and cls.attends and cls.ordered >= self.ordered)


def check_explains(models: tuple[str, ...]) -> None:
    """Refuse models that look at nothing of what they are given, where they would be explained."""
    for model in models:
        made = make("models", model)
        if not made.explains:
            known: dict[str, type] = catalogue("models")
            fit = [name for name, cls in known.items() if set(cls.reads) & set(made.reads) and cls.explains]  # type: ignore[attr-defined]
            raise BadSetting(
                f"{model} reads no history, so there is nothing to explain: choose another --model "
                f"({', '.join(fit)}), or see how it ranks, how sure it is and whose neighbours are near with "
                f"{HOW.format(model)}"
            )

from holdfast.report.impostors import IMPOSTORS, impostor
from holdfast.report.modality import modality


def test_impostors_are_told_in_the_words_of_the_modality() -> None:
    unit = modality("interaction").unit
    assert impostor("another input", unit) == "what another seed says of another history"
    assert impostor("untrained order", unit).endswith("ranks the items")
    assert all(impostor(name, unit) for name in IMPOSTORS)
    assert impostor("no such impostor", unit) == impostor(None, unit) == ""

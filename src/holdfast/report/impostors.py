"""What each impostor is, in the words of a modality."""

from holdfast.report.modality import Unit

IMPOSTORS = {
    "shuffled": "its own weights at random places",
    "another input": "what another seed says of another {example}",
    "untrained order": "the order in which an untrained network ranks the {many}",
}


def impostor(name: str | None, unit: Unit) -> str:
    """What an impostor is; empty for a name that is none.

    >>> from holdfast.report.modality import modality
    >>> impostor("another input", modality("image").unit), impostor(None, modality("image").unit)
    ('what another seed says of another image', '')
    """
    return IMPOSTORS.get(name or "", "").format(example=unit.example, many=unit.many)

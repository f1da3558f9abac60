"""Members that re-training gave again: a learner that makes no use of its seed has nothing to compare."""

from holdfast.study.result import FamilyResult


def alike(family: FamilyResult) -> list[list[int]]:
    """The seeds whose members are the same, bit for bit, where several are."""
    same: dict[str, list[int]] = {}
    for member in family.members:
        digest = (family.job.note(member) or {}).get("sha256", "")
        same.setdefault(digest, []).append(member.seed)
    return [seeds for digest, seeds in same.items() if digest and len(seeds) > 1]


def same_bits(family: FamilyResult) -> bool:
    """Whether all members are the same."""
    return any(len(seeds) == len(family.members) for seeds in alike(family))

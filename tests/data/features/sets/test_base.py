from holdfast.core.records import Member
from holdfast.data.source import Source, digest, load


def test_settings_are_part_of_the_name():
    data = load(Source("breast-cancer:limit=50,resample=true"))
    assert data.name == "breast-cancer:limit=50,resample=true"
    assert len(data.splits["train"]) == 50
    assert data.splits["train"].trains(Member(0)) is not None


def test_options_are_settings():
    plain, drawn = Source("breast-cancer"), Source("breast-cancer", resample=True, limit=50)
    assert load(drawn).name == "breast-cancer:limit=50,resample=true"
    assert digest(plain) != digest(drawn)

from typing import Annotated, get_args, get_origin

from holdfast.cli import options

PANELS = (options.DATA, options.TEXTS, options.ITEMS, options.TABLES, options.TRAIN, options.SAY)


def test_every_shared_option_is_filed_and_explained() -> None:
    shared = {name: value for name, value in vars(options).items() if get_origin(value) is Annotated}
    assert {"Seeds", "Device", "Out", "AsJson"} <= set(shared)
    for name, value in shared.items():
        about = get_args(value)[1]
        assert about.help.endswith("."), name
        assert about.rich_help_panel in PANELS, name

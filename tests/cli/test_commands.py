import inspect
from typing import get_args, get_type_hints

from holdfast.cli.commands import app

COMMANDS = {command.callback.__name__.rstrip("_"): command.callback for command in app.registered_commands}


def test_the_commands() -> None:
    assert set(COMMANDS) == {"audit", "explain", "compare", "list", "reproduce", "report", "bench"}


def test_every_command_and_option_says_what_it_is() -> None:
    for name, command in COMMANDS.items():
        assert inspect.getdoc(command), name
        for option, hint in get_type_hints(command, include_extras=True).items():
            if option != "return":
                assert get_args(hint)[1].help, f"{name}: {option}"

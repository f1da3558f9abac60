"""A run is asked as its data want to be."""

import pytest

from holdfast.commands.modality import Request, answer, modality
from holdfast.core.errors import BadSetting, UnknownName
from tests.study.items import finished as of_interactions
from tests.study.tiny import finished as of_texts


def test_the_options_of_other_data_are_refused():
    with pytest.raises(BadSetting, match=r"is a run on texts: leave --row out$"):
        answer(of_texts(), Request("so good", row=1))
    with pytest.raises(BadSetting, match=r"is a run on interactions: expected a user, e\.g\. --user 42$"):
        answer(of_interactions(), Request("so good"))


def test_a_modality_that_is_not_there():
    with pytest.raises(UnknownName, match=r"^unknown modality 'sounds'"):
        modality("sounds")

from holdfast.data.text.corpus import Part


def test_take_takes_everything_that_is_there() -> None:
    part = Part(["a", "b"], [0, 1], queries=["x", "y"], rationales=[[True], [False]])
    assert part.take([1]) == Part(["b"], [1], ["y"], [[False]])

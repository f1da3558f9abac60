from holdfast.report.page import Span
from holdfast.studies.calibration.vector_section import vector_section
from holdfast.study.measurement import Measurement


def row(quantity, value, model="gmf", **about):
    return Measurement("ml-1m", model, "none", quantity, value, **about)


def plane(label, at, bin):
    return row("plane", 0.5, by="point", bin=bin, label=label, at=at)


def purity(quantity, value, k):
    ends = {"low": value - 0.01, "high": value + 0.01}
    return row(quantity, value, by="all", bin=k, comparison="age", **ends)


def test_the_oldest_stand_out_among_all_others_and_are_drawn_last():
    rows = [
        plane("56 and over", 0.1, "age t-SNE"),
        plane("25 to 34", 0.2, "age t-SNE"),
        plane("under 18", 0.3, "age t-SNE"),
    ]
    (figure,) = vector_section(rows).figures
    assert figure.title == "Vectors of GMF by age, t-SNE: ml-1m"
    assert figure.data["series"] == ("younger", "younger", "56 and over")
    assert "far distances" in figure.caption


def test_genres_keep_their_names_and_pca_its_distances():
    rows = [plane("Horror", 0.1, "genre PCA"), plane("Action", 0.2, "genre PCA")]
    (figure,) = vector_section(rows).figures
    assert sorted(figure.data["series"]) == ["Action", "Horror"]
    assert "far distances" not in figure.caption


def test_ten_and_three_nearest_stand_beside_chance():
    rows = [
        purity(*one)
        for one in (
            ("purity", 0.3, "10"), ("purity_gain", 0.1, "10"), ("purity_untrained_gain", 0.0, "10"),
            ("purity", 0.35, "3"), ("purity_gain", 0.15, "3"),
        )
    ]  # fmt: skip
    assert not vector_section(rows).notes
    (table,) = vector_section(rows).tables
    assert [line[:4] for line in table.rows] == [("ml-1m", "GMF", "age", "10"), ("ml-1m", "GMF", "age", "3")]
    share, chance, gain, untrained = table.rows[0][4:]
    assert (share.value, round(chance.value, 9), chance.low) == (0.3, 0.2, None)
    assert (round(gain.low, 9), untrained.value) == (0.09, 0.0)
    assert table.rows[1][-1] == Span(None)


def test_ages_that_are_not_known_are_said_to_be_so():
    genre = row("purity", 0.4, by="all", bin="10", comparison="genre")
    (note,) = vector_section([genre]).notes
    assert note.startswith("ml-1m: nothing is said of ages, which are not known")
    items_only = row("purity", 0.4, model="deepicf:head=two", by="all", bin="10", comparison="genre")
    assert not vector_section([items_only]).notes

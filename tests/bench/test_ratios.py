"""Figures of the workbench as ratios to an empty view, and what was lost since the last landing."""

from bench.workbench.ratios import keep, losses, ratios, read

MEASURED = {
    "empty": {"alone": 0.5, "processor": 0.25},
    "save": {"alone": 2.0, "processor": 2.0},
    "open": {"alone": 6.0, "processor": 5.5},
}


def test_each_figure_is_a_multiple_of_the_empty_views():
    assert ratios(MEASURED) == {  # 2 / 0.5, 2 / 0.25; 6 / 0.5, 5.5 / 0.25
        "save": {"alone": 4.0, "processor": 8.0},
        "open": {"alone": 12.0, "processor": 22.0},
    }


def test_what_is_kept_is_read_and_others_stay(tmp_path):
    file = tmp_path / "ratios.json"
    assert read(file) == {}
    keep({"SQLite": {"save": {"alone": 4.0}}, "PostgreSQL": {"save": {"alone": 5.0}}}, file)
    keep({"SQLite": {"save": {"alone": 3.0}}}, file)
    assert read(file) == {"SQLite": {"save": {"alone": 3.0}}, "PostgreSQL": {"save": {"alone": 5.0}}}


def test_a_loss_of_more_than_a_tenth_is_told():
    before = {"save": {"alone": 4.0, "processor": 8.0}, "gone": {"alone": 1.0}}
    now = {"save": {"alone": 4.4, "processor": 10.0}, "new": {"alone": 9.0}}
    assert losses(before, now) == [  # 4.4 is a tenth more, not above it; 10 / 8 = 1.25
        "save, processor: 10.0 times an empty view, 8.0 at the last landing: 25% lost"
    ]

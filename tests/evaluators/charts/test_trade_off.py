"""F1micro against error rate: labels up to twelve points, then a drawing a subject, legends, and parts of 24 series."""

from typing import Any, cast

import pytest

from evaluators.charts.chart import Chart
from evaluators.charts.draw import draw
from evaluators.subjects.charts import trade_off_charts
from evaluators.subjects.documents import EstimateRow


def drawn(evaluators: int, *subjects: str) -> dict[str, Chart]:
    rows = [
        {
            "evaluator": f"judge {place}",
            "subject": subject,
            "baseline": False,
            "f1": 0.3 + 0.02 * place,
            "f1_interval": [0.25 + 0.02 * place, 0.35 + 0.02 * place],
            "bias": 0.01 * place + 0.2 * number,
            "bias_interval": [0.01 * place - 0.02, 0.01 * place + 0.02],
            "error_rate": 0.01 * place,
        }
        for number, subject in enumerate(subjects)
        for place in range(evaluators)
    ]
    return {name: make() for name, make in trade_off_charts(cast(list[EstimateRow], rows), 0.5).items()}


def labels(chart: Chart) -> int:
    return sum(
        layer["mark"]["type"] == "text" and "text" in layer["encoding"] and layer.get("name", "").startswith("label")
        for layer in chart.spec["layer"]
    )


def point(chart: Chart) -> dict[str, Any]:
    encoding: dict[str, Any] = next(each for each in chart.spec["layer"] if each["mark"]["type"] == "point")["encoding"]
    return encoding


def test_twelve_points_have_labels_in_one_drawing_and_a_colour_a_subject() -> None:
    charts = drawn(6, "amber", "basalt")

    assert list(charts) == ["trade-off"]
    assert labels(charts["trade-off"]) == 12
    assert point(charts["trade-off"])["color"]["field"] == "subject"
    assert charts["trade-off"].title == "F1micro against error rate"


def test_more_points_have_a_drawing_a_subject_with_the_same_axes() -> None:
    charts = drawn(7, "amber", "basalt")

    assert [chart.title for chart in charts.values()] == [
        "F1micro against error rate, amber",
        "F1micro against error rate, basalt",
    ]
    assert list(charts) == ["trade-off", "trade-off-2"]
    first, second = charts.values()
    assert (labels(first), labels(second)) == (7, 7)
    assert "color" not in point(first)
    assert {row["subject"] for row in second.rows} == {"basalt"}
    for axis in ("x", "y"):
        assert point(first)[axis]["scale"]["domain"] == point(second)[axis]["scale"]["domain"]


def test_more_evaluators_of_a_subject_have_a_legend_by_colour_and_shape() -> None:
    (chart,) = drawn(13, "amber").values()

    assert chart.title == "F1micro against error rate"
    assert labels(chart) == 0
    assert point(chart)["color"]["field"] == point(chart)["shape"]["field"] == "evaluator"
    assert chart.spec["usermeta"]["legends"] == [[f"judge {place}" for place in range(13)]]


def test_more_series_than_a_drawing_keeps_apart_are_further_drawings() -> None:
    charts = drawn(25, "amber", "basalt")

    assert [(len(chart.rows), chart.title.rpartition("rate, ")[2]) for chart in charts.values()] == [
        (24, "amber, 1 of 2"),
        (1, "amber, 2 of 2"),
        (24, "basalt, 1 of 2"),
        (1, "basalt, 2 of 2"),
    ]


def test_every_layer_has_its_data() -> None:
    for chart in drawn(7, "amber", "basalt").values():
        named = {layer["data"]["name"] for layer in chart.spec["layer"] if "name" in layer.get("data", {})}
        assert named <= set(chart.spec["datasets"])


def test_without_a_point_there_is_no_drawing() -> None:
    assert drawn(0, "amber") == {}


@pytest.mark.parametrize("narrow", [False, True])
def test_both_kinds_are_drawn(narrow: bool) -> None:
    for chart in (*drawn(7, "amber", "basalt").values(), *drawn(13, "amber").values()):
        assert b"<svg" in draw(chart, "svg", narrow=narrow)[:200]

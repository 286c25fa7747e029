"""A search engine of the package's own, and a method that looks for each unit: it is supported where a page says it."""

from evaluators.methods.base import Judgement, Method
from knowledge.engines.engine import Engine, SearchRequest, part_of, read_pages


def request(query, count, key):
    return SearchRequest("GET", params={"q": query}, headers={"Authorization": f"Bearer {key}"})


def read(answer):
    return read_pages(part_of(answer, "", "results", list), "results", title="title", url="url", text="content")


ENGINE = Engine("agreeing-search", "Search engine, agreeing", request, read)


def build(parameters):
    async def judge(case, tools):
        found = [await tools.web_search(unit.text, 3) for unit in case.units]
        return [
            Judgement(unit, "supported" if any(unit.text in page.text for page in pages) else "not_supported")
            for unit, pages in zip(case.units, found, strict=True)
        ]

    return judge


METHOD = Method("looking", "Looking", "Looks for each unit.", build, needs_search=True)

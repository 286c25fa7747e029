"""A search engine of the package's own, and a method that takes each sentence for a claim and looks for it: the claim
is supported where a page says it."""

from evaluators.methods.base import Claim, Method, with_claims
from knowledge.engines.engine import Engine, SearchRequest, part_of, read_pages


def request(query, count, key):
    return SearchRequest("GET", params={"q": query}, headers={"Authorization": f"Bearer {key}"})


def read(answer):
    return read_pages(part_of(answer, "", "results", list), "results", title="title", url="url", text="content")


ENGINE = Engine("agreeing-search", "Search engine, agreeing", request, read)


def build(parameters):
    async def judge(case, tools):
        claims = []
        for place, sentence in enumerate(case.segments):
            pages = await tools.web_search(sentence, 3)
            said = any(sentence in page.text for page in pages)
            claims.append(Claim(sentence, "supported" if said else "not_supported", segment=place))
        return with_claims(case, claims)

    return judge


METHOD = Method(
    "looking",
    "Looking",
    "Looks for each sentence.",
    build,
    needs_search=True,
    searches=lambda case, parameters: len(case.segments),
)

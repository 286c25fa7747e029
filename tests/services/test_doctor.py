"""manage.py doctor, of a server that has all it needs and of one whose database and broker are away."""

import json
import urllib.request
from collections.abc import Callable

from tests.docs.documented import undocumented, unprinted
from tests.processes import Started, run_program
from tests.services.conftest import House, free_port
from tests.waiting import LONGEST, wait_until


def test_a_server_with_all_it_needs_is_healthy(
    make_house: Callable[..., House], redis_url: str, postgres_url: str
) -> None:
    port = free_port()
    house = make_house(CELERY_BROKER_URL=redis_url, DATABASE_URL=postgres_url, SITE_URL=f"http://127.0.0.1:{port}")
    words = ["config.wsgi", "--config", "python:config.web_server", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
    house.workers.append(Started(run_program, "gunicorn", *words, environment=house.environment))
    house.start_worker()
    wait_until(lambda: answers_http(f"http://127.0.0.1:{port}/readyz"), "the web server is ready", LONGEST)
    house.write(
        "insert into llm_endpoint (name, base_url, key_variable, shared, created_at)"
        f" values ('fake', '{house.environment['OPENAI_BASE_URL']}', 'OPENAI_API_KEY', true, now())"
    )
    report = house.manage("doctor")
    assert report["healthy"]
    found = [(finding["name"], finding["state"]) for finding in report["findings"]]
    assert found == [
        ("database", "ok"),
        ("migrations", "ok"),
        ("workers", "ok"),
        ("workers", "ok"),
        ("clock", "ok"),
        ("broker", "ok"),
        ("storage", "ok"),
        ("disk", "ok"),
        ("settings", "ok"),
        ("plug-ins", "ok"),
        ("tls", "ok"),
        ("email", "warning"),
        ("site", "ok"),
        ("endpoints", "ok"),
    ]
    assert undocumented("doctor", report) == set()
    assert unprinted("doctor", [report]) == set()


def test_a_server_without_database_broker_and_mail_server_is_told_so(make_house: Callable[..., House]) -> None:
    away = f"127.0.0.1:{free_port()}"
    house = make_house(
        CELERY_BROKER_URL=f"redis://{away}/0",
        DATABASE_URL=f"postgresql://{away}/touchstone",
        EMAIL_URL=f"smtp://{away}",
        SITE_URL=f"http://{away}",
    )
    done = house.run("doctor", "--json")
    assert done.returncode == 1
    assert done.stderr == "CommandError: The server lacks: database, broker, email, site.\n"
    sentences = {finding["name"]: finding["sentence"] for finding in json.loads(done.stdout)["findings"]}
    assert sentences["database"].startswith("The database does not answer: ")
    assert sentences["broker"].startswith("The broker does not answer: ")
    assert sentences["email"].startswith("The mail server 127.0.0.1 cannot be used: ")


def answers_http(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=LONGEST).close()
    except OSError:
        return False
    return True

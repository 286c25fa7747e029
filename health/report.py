"""All findings, for the command and the page alike."""

from health.findings import Finding, State
from health.inside import check_inside
from health.outside import check_email, check_endpoints, check_site


def examine(outside: bool) -> list[Finding]:
    """outside: other servers are asked too. Endpoints are read from the database, if it can be used."""
    found = list(check_inside())
    if outside:
        found += [check_email(), check_site()]
        if not failed(found, "database", "migrations"):
            found += check_endpoints()
    return found


def failed(found: list[Finding], *names: str) -> list[str]:
    """The names of checks with an error, each once; of these names if there are any."""
    wrong = [finding.name for finding in found if finding.state is State.ERROR]
    return [name for name in dict.fromkeys(wrong) if not names or name in names]

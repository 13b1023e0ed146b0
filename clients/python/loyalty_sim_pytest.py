"""Gives each test of pytest a retailer of its own in loyalty-sim, and judges its client when the test has ended.

Use it as a plugin (``pytest -p loyalty_sim_pytest``), or copy it next to your tests as ``conftest.py``::

    def test_sends_a_receipt_again(tenant):
        tenant.faults.add({"match": {"endpoint": "createReceipt"}, "fault": ["504"]})
        Till(tenant.url).send(receipt)

The tests share one simulator: that of ``loyalty-sim exec -- pytest``, or one that is started with the first test and
stopped after the last. It needs Python 3.9 and pytest 7, and nothing else. Licence: MIT.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import pytest

Json = Any
Rule = Mapping[str, Any]

_STATUSES = ("PASS", "FAIL", "INCONCLUSIVE")
_MARK = "loyalty_sim"
_DEFAULT_COMMAND = "npx --no-install loyalty-sim"

# The simulator is on this machine or near it: no proxy of the environment is used.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class LoyaltySimError(Exception):
    """Is raised when the simulator cannot be started or refuses a call; its text names every mistake."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        #: The status of the response, if there was one.
        self.status = status


class Simulator:
    """A running simulator, and the calls of its control API."""

    def __init__(self, url: str, admin_url: str, *, shared: bool = False) -> None:
        self.url = url.rstrip("/")
        self.admin_url = admin_url.rstrip("/")
        #: True under ``loyalty-sim exec``, which judges and reports the tenants too.
        self.shared = shared

    def call(self, method: str, path: str, body: Json = None, **query: Json) -> Json:
        """Calls the control API: ``sim.call("GET", "/requests", tenant="till-1", status=504)``."""
        return json.loads(self._send(method, path, body, query))

    def text(self, path: str, **query: Json) -> str:
        """Returns what a path of the control API responds as text."""
        return self._send("GET", path, None, {**query, "as": "text"})

    def _send(self, method: str, path: str, body: Json, query: Mapping[str, Json]) -> str:
        sent = {name: _as_text(value) for name, value in query.items() if value is not None}
        url = f"{self.admin_url}{path}" + (f"?{urllib.parse.urlencode(sent)}" if sent else "")
        headers = {"content-type": "application/json"}
        admin_key = os.environ.get("LOYALTY_SIM_ADMIN_KEY")
        if admin_key:
            headers["x-sim-admin-key"] = admin_key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with _opener.open(request, timeout=60) as response:
                return str(response.read().decode())
        except urllib.error.HTTPError as error:
            raise LoyaltySimError(f"{method} {path}: {_explain(error)}", error.code) from None
        except OSError as error:
            raise LoyaltySimError(f"{method} {url}: there is no simulator: {error}") from None


class Faults:
    """The faults that hit the requests of one tenant."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant

    def add(self, rule: Rule) -> str:
        """Adds a rule before all others, and returns its id. A rule that never fires fails the test."""
        return str(self._tenant.call("POST", "/faults", dict(rule))["id"])

    def clear(self) -> None:
        """Deletes the rules that were added, and releases the requests that a fault holds up."""
        self._tenant.call("DELETE", "/faults")


class Clock:
    """The clock of one tenant."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant

    def now(self) -> str:
        """Returns the time, as ``2026-03-01T12:00:00.000Z``."""
        return str(self._tenant.call("GET", "/clock")["now"])

    def advance(self, duration: str) -> None:
        """Lets this much time pass (``30d``, ``15m``), and waits for all work that is due by then."""
        self._tenant.call("POST", "/clock", {"advance": duration})

    def set(self, timestamp: str) -> None:
        """Sets the clock, and waits for all work that is due by then."""
        self._tenant.call("POST", "/clock", {"set": timestamp})

    def freeze(self) -> None:
        """Stops the clock."""
        self._tenant.call("POST", "/clock", {"freeze": True})

    def resume(self) -> None:
        """Lets the clock run on from where it stands."""
        self._tenant.call("POST", "/clock", {"resume": True})


class Tenant:
    """A retailer for one test alone: data, clock, faults, requests and verdict are its own."""

    def __init__(self, sim: Simulator, name: str, api_key: str) -> None:
        self.sim = sim
        self.name = name
        #: The base URL for the client: ``/api/v3/…`` comes behind it.
        self.url = f"{sim.url}/t/{name}"
        #: A key that the service accepts.
        self.api_key = api_key
        self.faults = Faults(self)
        self.clock = Clock(self)

    def call(self, method: str, path: str, body: Json = None, **query: Json) -> Json:
        """Calls the control API for this tenant: ``tenant.call("GET", "/webhooks", wait="5s")``."""
        return self.sim.call(method, path, body, tenant=self.name, **query)

    def requests(self, **filters: Json) -> list[dict[str, Any]]:
        """Returns its requests, the oldest first: ``tenant.requests(endpoint="createReceipt", status=504)``."""
        found: list[dict[str, Any]] = []
        while True:
            page = self.call("GET", "/requests", offset=len(found), limit=1000, **filters)
            found += page["items"]
            if not page["items"] or len(found) >= page["count"]:
                return found

    def verdict(self, client_ended: bool = False) -> dict[str, Any]:
        """Judges how its client retried; ``client_ended`` says that the client does nothing more."""
        judged: dict[str, Any] = self.call("GET", "/verdict", clientEnded=client_ended)
        return judged

    def contact(self, contact_id: str) -> dict[str, Any]:
        """Returns everything known of a contact, by id or member number."""
        card: dict[str, Any] = self.call("GET", f"/contacts/{urllib.parse.quote(contact_id, safe='')}/card")
        return card

    def apply_scenario(self, scenario: Union[str, Mapping[str, Any]]) -> None:
        """Applies a scenario, or a built-in one by its name."""
        self.call("PUT", "/scenario", scenario)

    def reset(self, *scopes: str) -> None:
        """Resets it to its start: all of it, or ``state``, ``journal``, ``faults``, ``clock``, ``queue``, ``webhooks``."""
        self.call("POST", "/reset", {"scopes": list(scopes)} if scopes else None)

    def close(self) -> None:
        """Deletes it."""
        self.sim.call("DELETE", f"/tenants/{self.name}")

    def _explain(self, verdict: Mapping[str, Any], client_ended: bool) -> str:
        text = self.sim.text("/verdict", tenant=self.name, clientEnded=client_ended)
        return f"the verdict on tenant {self.name} is {verdict['verdict']}\n{text.rstrip()}"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("loyalty-sim")
    group.addoption("--loyalty-sim-command", help=f"command of the simulator (default: {_DEFAULT_COMMAND})")
    group.addoption("--loyalty-sim-options", help='options of start, as "--now 2026-03-01T12:00:00Z"')
    parser.addini("loyalty_sim_command", f"command of the simulator (default: {_DEFAULT_COMMAND})")
    parser.addini("loyalty_sim_options", "options of loyalty-sim start")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{_MARK}(accept=['PASS'], client_ended=True, **options): which verdicts on the tenant of a test pass, whether "
        "its client does nothing more at the end, and options of the tenant, such as now or scenario",
    )


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    if call.when == "call":
        setattr(item, "_loyalty_sim_failed", outcome.get_result().failed)


@pytest.fixture(scope="session")
def loyalty_sim(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    """The simulator that all tests share."""
    url, admin_url = os.environ.get("LOYALTY_SIM_URL"), os.environ.get("LOYALTY_SIM_ADMIN_URL")
    if url:
        yield Simulator(url, admin_url or f"{url.rstrip('/')}/__admin", shared=True)
        return
    config = request.config
    command = _setting(config, "loyalty_sim_command") or _DEFAULT_COMMAND
    try:
        process, ready = _start(_words(command), _words(_setting(config, "loyalty_sim_options") or ""))
    except LoyaltySimError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    try:
        yield Simulator(ready["url"], ready["adminUrl"])
    finally:
        _stop(process)


@pytest.fixture
def tenant(loyalty_sim: Simulator, request: pytest.FixtureRequest) -> Iterator[Tenant]:
    """A retailer for this test alone, whose client is judged when the test has ended."""
    try:
        accept, client_ended, options = _marked(request.node)
    except LoyaltySimError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    stem = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")[:40].strip("-")
    name = f"{stem or 'test'}-{uuid.uuid4().hex[:8]}"
    loyalty_sim.call("POST", "/tenants", {**options, "name": name})
    own = Tenant(loyalty_sim, name, os.environ.get("LOYALTY_SIM_API_KEY", "loyalty-sim"))
    yield own
    verdict, failure = None, None
    try:
        verdict = own.verdict(client_ended)
        if not _is_idle(own, verdict) and verdict["verdict"] not in accept:
            failure = own._explain(verdict, client_ended)
    except LoyaltySimError as error:
        # A test may delete its tenant.
        if error.status != 404:
            raise
    # Under exec it stays, to be reported, unless it would fail there what is accepted here.
    is_reported = loyalty_sim.shared and (failure or (verdict and verdict["verdict"] == "PASS"))
    if verdict and not is_reported:
        own.close()
    if failure and getattr(request.node, "_loyalty_sim_failed", False):
        # The test's own failure comes first; how its client did is shown below it.
        request.node.add_report_section("teardown", "loyalty-sim", failure)
    elif failure:
        pytest.fail(failure, pytrace=False)


def _is_idle(tenant: Tenant, verdict: Mapping[str, Any]) -> bool:
    """Returns whether nothing was sent, and nothing was to go wrong or is expected."""
    if verdict["requests"] + verdict["evicted"] + len(verdict["rules"]) > 0:
        return False
    return not tenant.call("GET", "/scenario")["scenario"].get("expectations")


def _marked(item: pytest.Item) -> tuple[Sequence[str], bool, dict[str, Any]]:
    mark = item.get_closest_marker(_MARK)
    options = dict(mark.kwargs) if mark else {}
    accept = options.pop("accept", ["PASS"])
    client_ended = options.pop("client_ended", True)
    unknown = [accept] if isinstance(accept, str) else [one for one in accept if one not in _STATUSES]
    if unknown or (mark and mark.args):
        raise LoyaltySimError(
            f"@pytest.mark.{_MARK}: {', '.join(map(repr, unknown or (mark.args if mark else ())))}: "
            f"expected accept=[…] with some of {', '.join(_STATUSES)}"
        )
    return accept, client_ended, options


def _start(command: Sequence[str], options: Sequence[str]) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    shown = " ".join([*command, "start"])
    advice = "install the package, or name its command: --loyalty-sim-command, or loyalty_sim_command in the ini file"
    # A program of npm is a batch file on Windows, which is found by its whole name alone.
    program = shutil.which(command[0]) if command else None
    if program is None:
        raise LoyaltySimError(f"{shown}: there is no program {command[:1]}; {advice}")
    fixed = ["start", "--port", "0", "--json", "--log", "silent", "--stop-with-stdin"]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            [program, *command[1:], *fixed, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        ready = _parse_ready(line)
        if ready is None:
            _stop(process)
            errors.seek(0)
            said = f"{line}{errors.read()}".strip()
            raise LoyaltySimError(f"{shown} did not become ready; {advice}\n{said}")
    # Whatever else it prints must not fill the pipe.
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process, ready


def _parse_ready(line: str) -> Optional[dict[str, Any]]:
    try:
        said = json.loads(line)
    except ValueError:
        return None
    # A mistake in the options is printed as JSON too.
    return said if isinstance(said, dict) and said.get("event") == "ready" else None


def _stop(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    # It stops with its standard input, and so it does if this process is killed.
    process.stdin.close()
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _setting(config: pytest.Config, name: str) -> Optional[str]:
    return config.getoption(name) or config.getini(name) or None


def _words(text: str) -> list[str]:
    words = shlex.split(text, posix=os.name != "nt")
    return [word.strip('"') for word in words] if os.name == "nt" else words


def _as_text(value: Json) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _explain(error: urllib.error.HTTPError) -> str:
    text = error.read().decode(errors="replace")
    try:
        body = json.loads(text)
        mistakes = [f"{one['field']} {one['errorDescription']}" for one in body.get("validationErrors", [])]
        return f"{error.code}: {'; '.join(mistakes) or body['message']}"
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{error.code}: {text[:500]}"

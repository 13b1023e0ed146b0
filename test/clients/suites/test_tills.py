"""Tests of tills by pytest, some of which are to fail (test/clients/python.test.ts)."""

import json
import urllib.error
import urllib.request

import pytest

ASTRID = "5a0e7c1e-0001-4000-8000-000000000001"
OUTAGE = {"id": "outage", "match": {"endpoint": "countContacts"}, "fault": ["504"]}

# There is a proxy in the environment, which leads nowhere.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(tenant, path, body=None):
    headers = {"content-type": "application/json", "apikey": tenant.api_key, "user-agent": "till"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{tenant.url}/api/v3{path}", data, headers)
    try:
        with OPENER.open(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_repeats(tenant):
    tenant.faults.add(OUTAGE)
    assert call(tenant, "/contacts/count")[0] == 504
    assert call(tenant, "/contacts/count") == (200, 40)
    assert [one["status"] for one in tenant.requests()] == [504, 200]
    assert [one["status"] for one in tenant.requests(status=504)] == [504]


def test_gives_up(tenant):
    tenant.faults.add(OUTAGE)
    assert call(tenant, "/contacts/count")[0] == 504


def test_never_meets_its_fault(tenant):
    tenant.faults.add(OUTAGE)
    assert call(tenant, "/stores")[0] == 200


def test_sends_nothing_expected(tenant):
    tenant.apply_scenario({"expectations": [{"request": {"endpoint": "createReceipt"}}]})


@pytest.mark.loyalty_sim(accept=["FAIL"])
def test_gives_up_and_may(tenant):
    tenant.faults.add(OUTAGE)
    assert call(tenant, "/contacts/count")[0] == 504


def test_fails_by_itself(tenant):
    tenant.faults.add(OUTAGE)
    assert call(tenant, "/contacts/count")[0] == 200


@pytest.mark.parametrize("till", [1, 2])
def test_sees_its_own_data_alone(tenant, till):
    assert call(tenant, "/contacts", {"contactType": "member", "email": "new@example.com"})[0] == 201
    assert call(tenant, "/contacts/count") == (200, 41)


@pytest.mark.loyalty_sim(now="2026-03-01T12:00:00Z")
def test_moves_the_clock(tenant):
    tenant.clock.advance("14d")
    assert tenant.clock.now() == "2026-03-15T12:00:00.000Z"
    assert tenant.contact(ASTRID)["pointAccounts"][0]["pendingPoints"] == 0


def test_names_mistakes(tenant):
    with pytest.raises(Exception, match='match.endpoint is "countContact", .* did you mean "countContacts"'):
        tenant.faults.add({"match": {"endpoint": "countContact"}, "fault": "504"})


def test_deletes_its_tenant(tenant):
    tenant.faults.add(OUTAGE)
    tenant.close()


@pytest.mark.loyalty_sim(accept="PASS")
def test_misspells_its_mark(tenant):
    pass

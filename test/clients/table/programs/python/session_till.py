"""Sells by a session of requests, whose adapter repeats by urllib3's Retry."""
import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry
from shop import ASTRID, BASE, BEHAVIOUR, BULK, JOHAN, RECEIPTS, bonus, receipt

statuses = [429, 500, 502, 503, 504]
kinds = {
    "defaults": Retry(total=3, backoff_factor=0.05, status_forcelist=statuses),
    "no-backoff": Retry(total=3, backoff_factor=0, status_forcelist=statuses, allowed_methods=None),
    "plain": Retry(0),
}
retries = kinds.get(BEHAVIOUR, Retry(total=4, backoff_factor=0.1, status_forcelist=statuses, allowed_methods=None))
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=retries))


def post(path, body, **headers):
    try:
        session.post(BASE + path, json=body, headers=headers, timeout=30)
    except requests.RequestException:
        pass


if BEHAVIOUR == "points":
    post(BULK, [bonus(ASTRID, 50)])
elif BEHAVIOUR == "points-keyed":
    post(BULK, [bonus(ASTRID, 50)], **{"Idempotency-Key": "session-1"})
else:
    for number, contact in enumerate([ASTRID, JOHAN]):
        post(RECEIPTS, receipt(contact, f"session-{number}"))

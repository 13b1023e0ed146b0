"""Sends the receipts of eight sales from a pool of four threads that share a session of requests."""
import time
from concurrent.futures import ThreadPoolExecutor
import requests
from shop import ASTRID, BASE, BEHAVIOUR, ELIN, JOHAN, LARS, MAJA, OSKAR, RECEIPTS, receipt

session = requests.Session()


def deliver(sale):
    number, contact = sale
    for attempt in range(4):
        key = f"thread-{number}-{attempt}" if BEHAVIOUR == "new-key" else f"thread-{number}"
        try:
            response = session.post(BASE + RECEIPTS, json=receipt(contact, key, total=100 + number), timeout=30)
            if response.status_code < 500:
                session.get(BASE + f"/api/v3/transactions?contactId={contact}", timeout=30)
                return
        except requests.RequestException:
            pass
        time.sleep(0.08 * (attempt + 1))


with ThreadPoolExecutor(4) as pool:
    list(pool.map(deliver, enumerate([ASTRID, JOHAN, ELIN, OSKAR, MAJA, LARS, ASTRID, JOHAN])))

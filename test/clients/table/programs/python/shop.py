"""Serves the Python programs of the table: where the service is, whom it knows, and what a till sends."""
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ["LOYALTY_SIM_URL"]
FOLDER = os.environ["WORK_FOLDER"]
BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "right"
ASTRID, JOHAN, ELIN, OSKAR, MAJA, LARS = (f"5a0e7c1e-0001-4000-8000-{number:012}" for number in range(1, 7))
RECEIPTS = "/api/v3/receipts"
BULK = "/api/v3/point-accounts/transactions"


def receipt(contact, key, total=249, created="2026-11-20T10:15:00Z"):
    return {
        "contact": {"matchKey": contact, "matchKeyType": "contactId"},
        "uniqueReceiptId": key,
        "receiptNumber": key,
        "createdDate": created,
        "storeExternalId": "100",
        "currency": "SEK",
        "totalGrossPrice": total,
        "paymentMethods": [{"type": "CARD", "value": total}],
        "items": [
            {
                "type": "PURCHASE",
                "quantity": 1,
                "grossPaidPrice": total,
                "taxAmount": total / 5,
                "taxPercent": 25,
                "sku": "1001-M",
                "articleNumber": "1001",
                "articleName": "T-shirt",
            }
        ],
    }


def bonus(contact, amount, text="Style evening"):
    return {
        "contactId": contact,
        "definitionId": 2,
        "amount": amount,
        "timeStamp": "2026-11-20T10:15:00Z",
        "source": "Adjustment",
        "description": text,
    }


def advance(length):
    """Lets the time of the tenant pass."""
    url = f"{os.environ['LOYALTY_SIM_ADMIN_URL']}/clock?tenant={os.environ['TENANT']}"
    body = json.dumps({"advance": length}).encode()
    urllib.request.urlopen(urllib.request.Request(url, body, {"content-type": "application/json"})).read()


def call(method, path, body=None, headers=None, timeout=30):
    """Sends one request by urllib; answers its status and body, 0 without a response."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, {"content-type": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        error.read()
        return error.code, None
    except Exception:
        return 0, None


def failed(status):
    return status == 0 or status == 429 or status >= 500


def retry(attempt, pauses=(0.06, 0.12, 0.24)):
    """Repeats what failed, with growing pauses."""
    result = attempt(0)
    for i, pause in enumerate(pauses):
        if not failed(result[0]):
            return result
        time.sleep(pause)
        result = attempt(i + 1)
    return result


def crash():
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)

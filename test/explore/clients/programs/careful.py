"""Sends requests as the specification's guidance to callers asks, with Python's standard library."""
import http.client
import json
import os
import time
from datetime import datetime, timezone
from urllib.parse import quote, urlsplit

TRANSIENT = {429, 500, 502, 503, 504}


class Undelivered(Exception):
    """The service has not answered by the last attempt."""


class Careful:
    pauses = [0.02, 0.04, 0.08]
    timeout = 0.4
    forward_after = 0.25
    patience = 5

    def __init__(self, client):
        self.url = urlsplit(os.environ["LOYALTY_SIM_URL"])
        self.headers = {"User-Agent": client + "/1.0", "x-sim-client": client}
        if os.environ.get("LOYALTY_SIM_API_KEY"):
            self.headers["apikey"] = os.environ["LOYALTY_SIM_API_KEY"]
        self.started = time.monotonic()

    def exchange(self, method, path, text, headers):
        """One request on a connection of its own; the whole response has to come in time."""
        deadline = time.monotonic() + self.timeout
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=self.timeout)
        try:
            sent = {**self.headers, **(headers or {})}
            if text is not None:
                sent["Content-Type"] = "application/json"
            connection.request(method, self.url.path.rstrip("/") + path, body=text, headers=sent)
            response = connection.getresponse()
            body, lost = b"", None
            try:
                while True:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise TimeoutError("the response is too slow")
                    if connection.sock:
                        connection.sock.settimeout(left)
                    chunk = response.read1(65536)
                    if not chunk:
                        break
                    body += chunk
                if response.length:
                    raise http.client.IncompleteRead(body, response.length)
            except (OSError, http.client.HTTPException) as error:
                lost = error
            return response.status, response.headers.get("Retry-After"), body, lost
        finally:
            connection.close()

    def attempt(self, method, path, text=None, headers=None):
        """Returns status, body and the pause asked for; nothing when no whole response came."""
        try:
            status, retry_after, body, lost = self.exchange(method, path, text, headers)
        except (OSError, http.client.HTTPException) as error:
            return self.no_response(error, method, path, text)
        if lost and (method == "GET" or status >= 300):
            return self.cut_body(status, body)
        # A write with status 2xx is done, even if the rest of the response is lost.
        try:
            parsed = json.loads(body) if body and not lost else None
        except ValueError:
            return None
        return status, parsed, float(retry_after or 0)

    def no_response(self, error, method, path, text):
        return None

    def cut_body(self, status, body):
        return None

    def call(self, method, path, text=None, headers=None, took_effect=None):
        """Tries at most four times. Raises Undelivered after the last one."""
        answer = None
        for repeat in range(len(self.pauses) + 1):
            if repeat > 0:
                asked = answer[2] if answer else 0
                time.sleep(max(asked, self.pauses[repeat - 1] * 1.2))
                if took_effect and took_effect():
                    return 200, None, 0
            answer = self.attempt(method, path, text, headers)
            if answer and answer[0] not in TRANSIENT:
                return answer
        undelivered = Undelivered(path)
        undelivered.retry_after = answer[2] if answer else 0
        raise undelivered

    def insist(self, work):
        """Does a piece of work again until the service answers, or the patience is over."""
        rounds = 0
        while True:
            try:
                return work()
            except Undelivered as error:
                if time.monotonic() - self.started > self.patience:
                    raise
                rounds += 1
                time.sleep(max(error.retry_after, self.forward_after * min(rounds, 4)))

    def find(self, path):
        status, body, _ = self.insist(lambda: self.call("GET", path))
        return body if status == 200 else None

    def look(self, path):
        """Looks something up for a repeat. Raises Undelivered when the service does not say."""
        status, body, _ = self.call("GET", path)
        return body if status == 200 else None

    def write(self, method, path, body, headers=None, took_effect=None):
        text = json.dumps(body)
        state = {"tried": False}

        def work():
            if state["tried"] and took_effect and took_effect():
                return 200, None, 0
            state["tried"] = True
            return self.call(method, path, text, headers, took_effect)

        return self.insist(work)


def lookup(name, value):
    return f"/api/v3/contacts/id?{name}={quote(value, safe='')}"


def timestamp():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def receipt(key, contact_id, price):
    return {
        "contact": {"matchKey": contact_id, "matchKeyType": "contactId"},
        "uniqueReceiptId": key,
        "createdDate": timestamp(),
        "storeExternalId": "100",
        "currency": "SEK",
        "totalGrossPrice": price,
        "paymentMethods": [{"type": "CARD", "value": price}],
        "items": [
            {
                "type": "PURCHASE",
                "quantity": 1,
                "grossPaidPrice": price,
                "taxAmount": price / 5,
                "taxPercent": 25,
                "sku": "10001",
                "articleNumber": "10001",
                "articleName": "Article 10001",
            }
        ],
    }

import time
import urllib.error
import urllib.request


def by_default(call):
    data = call.body.encode() if call.body else None
    request = urllib.request.Request(call.url, data, call.headers, method=call.method)
    with urllib.request.urlopen(request) as response:
        return response.read()


# The recipe
def recipe(call, attempts=4):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    for attempt in range(attempts):
        status, retry_after = send(call.method, call.url, call.body, headers)
        if status and status != 429 and status < 500:
            return status
        time.sleep(max(0.3 * 2**attempt, retry_after))
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look and recipe(Look(call.look)) == 200:
            return 201
    raise RuntimeError("not delivered")  # keep the request in a queue on disk, and send it later


class Look:
    def __init__(self, url):
        self.method, self.url, self.body, self.headers, self.key, self.look = "GET", url, None, {}, "", ""


def send(method, url, body, headers):
    """The status and Retry-After; no status without a response, or when it is cut."""
    request = urllib.request.Request(url, body.encode() if body else None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            response.read()
            return response.status, 0
    except urllib.error.HTTPError as error:
        return error.code, float(error.headers.get("Retry-After", 0))
    except Exception:
        return None, 0

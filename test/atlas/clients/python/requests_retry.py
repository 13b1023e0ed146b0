import time

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

plain = requests.Session()
retries = Retry(total=3, backoff_factor=0.1, status_forcelist=[502, 503, 504], allowed_methods={"POST"})
plain.mount("http://", HTTPAdapter(max_retries=retries))


def by_default(call):
    return plain.request(call.method, call.url, headers=call.headers, data=call.body)


# The recipe
retry = Retry(
    total=3,
    backoff_factor=0.3,
    status_forcelist=[429, 500, 502, 503, 504],
    allowed_methods=["GET", "PATCH", "POST"],
)
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=retry))
once = requests.Session()


def recipe(call, attempt=1):
    """urllib3 pauses only from its second repeat on, and does not repeat a response that was cut: that is done here."""
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    try:
        sender = once if call.look else session
        response = sender.request(call.method, call.url, headers=headers, data=call.body, timeout=10)
        is_cut = len(response.content) < int(response.headers.get("Content-Length", 0))
        if response.status_code != 429 and response.status_code < 500 and not is_cut:
            return response
        pause = float(response.headers.get("Retry-After", 0.3))
    except requests.RequestException:
        pause = 0.3
    if attempt == 4:
        raise RuntimeError("not delivered")  # keep the request in a queue on disk, and send it later
    time.sleep(pause * attempt)
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    if call.look and session.get(call.look, timeout=10).status_code == 200:
        return None
    return recipe(call, attempt + 1)



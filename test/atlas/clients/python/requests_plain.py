import requests

session = requests.Session()


def by_default(call):
    response = session.request(call.method, call.url, headers=call.headers, data=call.body)
    response.raise_for_status()
    return response.content


# The recipe
import time


def recipe(call, attempts=4):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    for attempt in range(attempts):
        pause = 0.3 * 2**attempt
        try:
            response = session.request(call.method, call.url, headers=headers, data=call.body, timeout=10)
            if response.status_code != 429 and response.status_code < 500 and is_whole(response):
                return response
            pause = max(pause, float(response.headers.get("Retry-After", 0)))
        except requests.RequestException:
            pass  # no response, or one that was cut
        time.sleep(pause)
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look and is_there(call.look):
            return None
    raise RuntimeError("not delivered")  # keep the request in a queue on disk, and send it later


def is_whole(response):
    return len(response.content) >= int(response.headers.get("Content-Length", 0))  # nothing else tells a cut


def is_there(look):
    response = session.get(look, timeout=10)
    if response.status_code not in (200, 404):
        response.raise_for_status()
    return response.status_code == 200

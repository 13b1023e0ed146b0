
import httpx

plain = httpx.Client()


def by_default(call):
    response = plain.request(call.method, call.url, headers=call.headers, content=call.body)
    response.raise_for_status()
    return response.text


# The recipe
import time

client = httpx.Client(timeout=10)


def recipe(call, attempts=4):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    for attempt in range(attempts):
        status, retry_after = send(call.method, call.url, headers=headers, content=call.body)
        if status and status != 429 and status < 500:
            return status
        time.sleep(max(0.3 * 2**attempt, retry_after))
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look and is_there(call.look):
            return 201
    raise RuntimeError("not delivered")  # keep the request in a queue on disk, and send it later


def send(method, url, **rest):
    """The status and Retry-After; no status without a response, or when it is cut."""
    try:
        response = client.request(method, url, **rest)
        return response.status_code, float(response.headers.get("Retry-After", 0))
    except httpx.TransportError:
        return None, 0


def is_there(look):
    status = send("GET", look)[0]
    if status not in (200, 404):
        raise RuntimeError("nobody says whether it is there")
    return status == 200

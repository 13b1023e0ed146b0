import backoff
import requests

session = requests.Session()


@backoff.on_exception(backoff.expo, requests.exceptions.RequestException, max_tries=5)
def by_default(call):
    response = session.request(call.method, call.url, headers=call.headers, data=call.body)
    response.raise_for_status()
    return response.content


# The recipe
import time


def is_final(error):
    """Any 4xx but 429; no response, one that was cut, 429 and 5xx may pass."""
    status = getattr(error.response, "status_code", 0)
    return 400 <= status < 500 and status != 429


def heed(details):
    response = details["exception"].response
    time.sleep(float(response.headers.get("Retry-After", 0)) if response is not None else 0)


def recipe(call):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    tried = []

    @backoff.on_exception(
        backoff.expo, requests.RequestException, factor=0.3, jitter=None, max_tries=4, giveup=is_final, on_backoff=heed
    )
    def attempt():
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look and tried and session.get(call.look, timeout=10).status_code == 200:
            return None
        tried.append(True)
        response = session.request(call.method, call.url, headers=headers, data=call.body, timeout=10)
        response.raise_for_status()
        if len(response.content) < int(response.headers.get("Content-Length", 0)):
            raise requests.ConnectionError("the response was cut")
        return response

    return attempt()  # if it raises: keep the request in a queue on disk, and send it later

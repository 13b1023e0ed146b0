import requests
from retrying import retry

session = requests.Session()


@retry(stop_max_attempt_number=7)
def by_default(call):
    response = session.request(call.method, call.url, headers=call.headers, data=call.body)
    response.raise_for_status()
    return response.content


# The recipe
import time


def is_passing(error):
    """No response, one that was cut, 429 and 5xx."""
    status = getattr(getattr(error, "response", None), "status_code", 500)
    return isinstance(error, requests.RequestException) and (status == 429 or status >= 500)


def recipe(call):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    tried = []

    @retry(
        stop_max_attempt_number=4, wait_exponential_multiplier=150, retry_on_exception=is_passing, wrap_exception=False
    )
    def attempt():
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look and tried and session.get(call.look, timeout=10).status_code == 200:
            return None
        tried.append(True)
        response = session.request(call.method, call.url, headers=headers, data=call.body, timeout=10)
        if is_passing(requests.HTTPError(response=response)):
            time.sleep(float(response.headers.get("Retry-After", 0)))
        response.raise_for_status()
        if len(response.content) < int(response.headers.get("Content-Length", 0)):
            raise requests.ConnectionError("the response was cut")
        return response

    return attempt()  # if it raises: keep the request in a queue on disk, and send it later

import requests
from tenacity import retry, retry_if_exception_type, stop_after_attempt
from tenacity import wait_exponential

session = requests.Session()


@retry(stop=stop_after_attempt(3))
def by_default(call):
    response = session.request(call.method, call.url, headers=call.headers, data=call.body)
    response.raise_for_status()
    return response.content


# The recipe
class Passing(Exception):
    """What may pass: no response, one that was cut, 429 and 5xx."""

    retry_after = 0.0


def pause(state):
    asked = state.outcome.exception().retry_after
    return max(wait_exponential(multiplier=0.3)(state), asked)


def recipe(call):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}

    @retry(stop=stop_after_attempt(4), wait=pause, retry=retry_if_exception_type(Passing), reraise=True)
    def attempt(is_first=[True]):
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look and not is_first[0] and send("GET", call.look).status_code == 200:
            return None
        is_first[0] = False
        return send(call.method, call.url, headers=headers, data=call.body)

    return attempt(is_first=[True])  # if it raises: keep the request in a queue on disk, and send it later


def send(method, url, **rest):
    try:
        response = session.request(method, url, timeout=10, **rest)
    except requests.RequestException as error:
        raise Passing(str(error))
    is_cut = len(response.content) < int(response.headers.get("Content-Length", 0))
    if response.status_code != 429 and response.status_code < 500 and not is_cut:
        return response
    passing = Passing(f"status {response.status_code}")
    passing.retry_after = float(response.headers.get("Retry-After", 0))
    raise passing

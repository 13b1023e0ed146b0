import httpx

plain = httpx.Client(transport=httpx.HTTPTransport(retries=1))


def by_default(call):
    response = plain.request(call.method, call.url, headers=call.headers, content=call.body)
    response.raise_for_status()
    return response.text

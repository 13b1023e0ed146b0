import asyncio

import aiohttp

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
sessions = []


async def session(**options):
    if not sessions:
        sessions.append(aiohttp.ClientSession(**options))
    return sessions[0]


def by_default(call):
    return loop.run_until_complete(send_once(call))


async def send_once(call):
    client = await session()
    async with client.request(call.method, call.url, headers=call.headers, data=call.body) as response:
        response.raise_for_status()
        return await response.text()


# The recipe
def recipe(call):
    return loop.run_until_complete(deliver(call))


async def deliver(call, attempts=4):
    headers = {**call.headers, **({"Idempotency-Key": call.key} if call.key else {})}
    for attempt in range(attempts):
        status, retry_after = await send(call.method, call.url, headers=headers, data=call.body)
        if status and status != 429 and status < 500:
            return status
        await asyncio.sleep(max(0.3 * 2**attempt, retry_after))
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if call.look:
            found, _ = await send("GET", call.look)
            if found != 404:
                return found
    raise RuntimeError("not delivered")  # keep the request in a queue on disk, and send it later


async def send(method, url, **rest):
    """The status and Retry-After; no status without a response, or when it is cut."""
    client = await session(timeout=aiohttp.ClientTimeout(total=10))
    try:
        async with client.request(method, url, **rest) as response:
            await response.read()
            return response.status, float(response.headers.get("Retry-After", 0))
    except (aiohttp.ClientError, asyncio.TimeoutError):
        return None, 0

"""Imports points from a file in chunks, with a decorator that repeats what raises."""
import functools
import time
from shop import ASTRID, BEHAVIOUR, BULK, ELIN, JOHAN, OSKAR, bonus, call, failed


def retrying(function):
    @functools.wraps(function)
    def repeated(*args):
        for attempt in range(4):
            try:
                return function(*args)
            except ConnectionError:
                time.sleep(0.08 * (attempt + 1))

    return repeated


def send(chunk, key=None):
    status, _ = call("POST", BULK, chunk, {"Idempotency-Key": key} if key else {})
    if failed(status):
        raise ConnectionError(status)


rows = [bonus(contact, 10 + i, f"Import row {i}") for i, contact in enumerate([ASTRID, JOHAN, ELIN, OSKAR])]
chunks = [rows[:2], rows[2:]]


@retrying
def whole():
    for chunk in chunks:
        send(chunk)


@retrying
def one(number):
    send(chunks[number], f"import-{number}")


if BEHAVIOUR == "whole":
    whole()
else:
    for number in range(len(chunks)):
        one(number)

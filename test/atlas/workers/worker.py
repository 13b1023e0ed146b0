"""Sends the requests that it is told of, one after the other: python3 worker.py <file> byDefault|recipe."""
import importlib.util
import sys
from types import SimpleNamespace

spec = importlib.util.spec_from_file_location("client", sys.argv[1])
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)
send = client.by_default if sys.argv[2] == "byDefault" else client.recipe

for line in sys.stdin:
    name, method, url, body, key, look = line.rstrip("\n").split("\t")
    headers = {"content-type": "application/json"} if body else {}
    call = SimpleNamespace(name=name, method=method, url=url, headers=headers, body=body or None, key=key, look=look)
    try:
        send(call)
        print("done", flush=True)
    except Exception as error:
        print("failed:", type(error).__name__, str(error).split("\n")[0], flush=True)

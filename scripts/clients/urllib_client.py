"""Calls each address of a list with urllib, and says in one line of JSON what it saw of each."""
import json
import sys
import urllib.request


def call(url, body, seconds):
    headers = {"content-type": "application/json", "user-agent": "urllib"}
    request = urllib.request.Request(url, body.encode(), headers)
    status = None
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            status = answer.status
            json.loads(answer.read())
        return {"status": status}
    except Exception as error:
        return {"status": status, "error": f"{type(error).__name__}: {error}"}


calls = json.loads(sys.stdin.read())
print(json.dumps([call(**one) for one in calls]))

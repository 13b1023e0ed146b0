"""Sends each request of the lines given with urllib, and prints what it got of each: status, length, error."""
import sys
import urllib.error
import urllib.request

for line in sys.stdin.read().splitlines():
    method, url, milliseconds, body = line.split("\t")
    headers = {"content-type": "application/json", "user-agent": "urllib"}
    request = urllib.request.Request(url, body.encode() or None, headers, method=method)
    status, length, error = "", 0, ""
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=int(milliseconds) / 1000)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        status = answer.status
        length = len(answer.read())
    except Exception as caught:
        error = ascii(caught)
    print(status, length, error, sep="\t", flush=True)

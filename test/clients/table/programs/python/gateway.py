"""Plays a shop's own gateway in front of the service, and a browser that repeats what the gateway answers with 502."""
import json
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from shop import ASTRID, BEHAVIOUR, JOHAN, RECEIPTS, call, failed, receipt


class Gateway(BaseHTTPRequestHandler):
    def do_POST(self):
        sale = json.loads(self.rfile.read(int(self.headers["content-length"])))
        key = str(uuid.uuid4()) if BEHAVIOUR == "own-key" else sale["number"]
        status, _ = call("POST", RECEIPTS, receipt(sale["contact"], key))
        self.send_response(502 if failed(status) else 200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
threading.Thread(target=server.serve_forever, daemon=True).start()

for number, contact in enumerate([ASTRID, JOHAN]):
    sale = json.dumps({"contact": contact, "number": f"browser-{number}"}).encode()
    for attempt in range(4):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/sales", sale, timeout=30).read()
            break
        except urllib.error.HTTPError:
            time.sleep(0.1 * (attempt + 1))
server.shutdown()

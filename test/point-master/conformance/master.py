"""A point master with nothing but the standard library, written from docs/point-master.md: master.py <port> <folder>.

Ledger and applied events are in one SQLite database, so that both change in one transaction.
"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

SERVICE = os.environ["LOYALTY_SIM_URL"]
KEYS = [os.environ["LOYALTY_SIM_WEBHOOK_KEY"], "fedcba9876543210fedcba9876543210"]
SECRET = base64.b64decode(os.environ["LOYALTY_SIM_WEBHOOK_SECRET"].removeprefix("whsec_"))
FIVE_MINUTES = 300


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


# --- AES-256 in CBC mode (FIPS 197): decryption alone, since the standard library has none.


def gf_multiply(a, b):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def make_sbox():
    box = [0] * 256
    p = q = 1
    while True:
        p = p ^ ((p << 1) & 0xFF) ^ (0x1B if p & 0x80 else 0)
        q ^= q << 1
        q ^= q << 2
        q ^= q << 4
        q &= 0xFF
        if q & 0x80:
            q ^= 0x09
        rotated = [((q << n) | (q >> (8 - n))) & 0xFF for n in (1, 2, 3, 4)]
        box[p] = q ^ rotated[0] ^ rotated[1] ^ rotated[2] ^ rotated[3] ^ 0x63
        if p == 1:
            break
    box[0] = 0x63
    return box


SBOX = make_sbox()
INVERSE = [SBOX.index(value) for value in range(256)]
TIMES = {n: [gf_multiply(n, value) for value in range(256)] for n in (9, 11, 13, 14)}


def expand_key(key):
    words = [list(key[i : i + 4]) for i in range(0, 32, 4)]
    constant = 1
    for i in range(8, 60):
        word = list(words[i - 1])
        if i % 8 == 0:
            word = [SBOX[value] for value in word[1:] + word[:1]]
            word[0] ^= constant
            constant = gf_multiply(constant, 2)
        elif i % 8 == 4:
            word = [SBOX[value] for value in word]
        words.append([a ^ b for a, b in zip(words[i - 8], word)])
    return [sum(words[i : i + 4], []) for i in range(0, 60, 4)]


def decrypt_block(block, round_keys):
    state = [a ^ b for a, b in zip(block, round_keys[14])]
    for round_number in range(13, -1, -1):
        # Shift the rows back, and replace the bytes.
        state = [INVERSE[state[(4 * (i // 4 - i % 4) + i % 4) % 16]] for i in range(16)]
        state = [a ^ b for a, b in zip(state, round_keys[round_number])]
        if round_number == 0:
            break
        mixed = []
        for i in range(0, 16, 4):
            a, b, c, d = state[i : i + 4]
            mixed += [
                TIMES[14][a] ^ TIMES[11][b] ^ TIMES[13][c] ^ TIMES[9][d],
                TIMES[9][a] ^ TIMES[14][b] ^ TIMES[11][c] ^ TIMES[13][d],
                TIMES[13][a] ^ TIMES[9][b] ^ TIMES[14][c] ^ TIMES[11][d],
                TIMES[11][a] ^ TIMES[13][b] ^ TIMES[9][c] ^ TIMES[14][d],
            ]
        state = mixed
    return bytes(state)


def decrypt_cbc(data, key):
    if len(data) < 32 or len(data) % 16:
        raise ValueError("no whole blocks")
    round_keys = expand_key(key)
    text = b""
    for i in range(16, len(data), 16):
        block = decrypt_block(data[i : i + 16], round_keys)
        text += bytes(a ^ b for a, b in zip(block, data[i - 16 : i]))
    padding = text[-1]
    if not 1 <= padding <= 16 or text[-padding:] != bytes([padding]) * padding:
        raise ValueError("wrong padding")
    return text[:-padding]


# --- The webhook.


def check_signature(headers, body):
    sent_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp")
    signatures = (headers.get("webhook-signature") or "").split(" ")
    if sent_id is None or timestamp is None or not timestamp.isdigit():
        raise Refused(401, "the webhook is not signed")
    if abs(time.time() - int(timestamp)) > FIVE_MINUTES:
        raise Refused(401, "the signature is too old")
    digest = hmac.new(SECRET, f"{sent_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(expected, sent.encode()) for sent in signatures):
        raise Refused(401, "the signature is wrong")


def decrypt(payload):
    for key in KEYS:
        try:
            data = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
            return json.loads(decrypt_cbc(data, key.encode()).decode("utf-8"))
        except ValueError:
            pass
    raise Refused(400, "no key decrypts the payload")


def read(body):
    try:
        envelope = json.loads(body)
        event_id, kind, payload = envelope["id"], envelope["eventType"], envelope["payload"]
    except (ValueError, KeyError, TypeError):
        raise Refused(400, "the body is no envelope") from None
    if kind != "loyalty.addPoints":
        return None
    adjustment = decrypt(payload)
    contact, amount = adjustment.get("contactId"), adjustment.get("amount")
    definition = adjustment.get("pointDefinitionId")
    if not isinstance(contact, str) or type(amount) not in (int, float) or type(definition) is not int:
        raise Refused(400, "a field of the payload is missing or of a wrong type")
    return event_id, contact.lower(), definition, amount, adjustment.get("description") or ""


# --- The ledger.


class Ledger:
    def __init__(self, file):
        self.lock = threading.Lock()
        self.db = sqlite3.connect(file, check_same_thread=False)
        self.db.executescript(
            """
            CREATE TABLE IF NOT EXISTS entries (event TEXT PRIMARY KEY, contact TEXT, definition INT, amount REAL, description TEXT, at TEXT);
            CREATE TABLE IF NOT EXISTS unsent (contact TEXT, definition INT, PRIMARY KEY (contact, definition));
            """
        )

    def book(self, event, contact, definition, amount, description):
        """The id, the change and the mark that a balance is to be sent are one transaction."""
        at = datetime.now(timezone.utc).isoformat()
        with self.lock, self.db:
            row = (event, contact, definition, amount, description, at)
            done = self.db.execute("INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
            if done.rowcount == 1:
                self.db.execute("INSERT OR IGNORE INTO unsent VALUES (?, ?)", (contact, definition))

    def history(self, contact):
        with self.lock:
            rows = self.db.execute(
                "SELECT at, amount, description FROM entries WHERE contact = ? ORDER BY rowid", (contact,)
            ).fetchall()
        return [{"transactionDate": at, "amount": amount, "description": text} for at, amount, text in rows]

    def unsent(self):
        with self.lock:
            rows = self.db.execute(
                """
                SELECT contact, definition, ROUND(SUM(amount), 6) FROM unsent JOIN entries USING (contact, definition)
                GROUP BY contact, definition
                """
            ).fetchall()
        stamp = datetime.now(timezone.utc).isoformat()
        return [{"contactId": c, "definitionId": d, "amount": a, "timeStamp": stamp} for c, d, a in rows]

    def mark_sent(self, balances):
        """What has changed since is sent again."""
        with self.lock, self.db:
            for balance in balances:
                key = (balance["contactId"], balance["definitionId"])
                query = "SELECT ROUND(SUM(amount), 6) FROM entries WHERE contact = ? AND definition = ?"
                if self.db.execute(query, key).fetchone()[0] == balance["amount"]:
                    self.db.execute("DELETE FROM unsent WHERE contact = ? AND definition = ?", key)


def send_balances(ledger):
    while True:
        time.sleep(0.1)
        balances = ledger.unsent()
        if not balances:
            continue
        body = json.dumps(balances).encode()
        while not send(body):
            time.sleep(0.2)
        ledger.mark_sent(balances)


def send(body):
    """Returns False for what has to be sent again: no response, 500 and 504."""
    url = f"{SERVICE}/api/v3/point-accounts/balances"
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self):
        url = urlparse(self.path)
        if url.path != "/fetchPointHistory":
            return self.respond(404)
        contact = parse_qs(url.query).get("id", [""])[0].lower()
        return self.respond(200, ledger.history(contact))

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return None
        try:
            check_signature(self.headers, body)
            adjustment = read(body)
            if adjustment:
                ledger.book(*adjustment)
            return self.respond(200)
        except Refused as refused:
            return self.respond(refused.status, {"message": str(refused)})

    def respond(self, status, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            # Nobody waits for the response any more: it was applied, and its repetition will be told so.
            self.close_connection = True

    def log_message(self, *_):
        pass


port, folder = int(sys.argv[1]), sys.argv[2]
ledger = Ledger(os.path.join(folder, "ledger.db"))
threading.Thread(target=send_balances, args=(ledger,), daemon=True).start()
ThreadingHTTPServer.request_queue_size = 128
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()

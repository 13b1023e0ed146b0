"""A till with a write-ahead queue in SQLite: a sale and all that it sends are one transaction, before anything is sent."""
import json
import os
import sqlite3
import sys
import time
import uuid

from careful import Careful, Undelivered, lookup, receipt, timestamp

CUSTOMERS = ["astrid.lindqvist@example.com", "johan.bergstrom@example.com", "elin.sandberg@example.com"]
till = Careful("sqlite-till")
queue = sqlite3.connect(os.path.join(os.environ.get("TILL_FOLDER", "."), "queue.db"))
queue.execute("PRAGMA synchronous = FULL")
queue.execute("CREATE TABLE IF NOT EXISTS sales (number INTEGER PRIMARY KEY)")
queue.execute(
    "CREATE TABLE IF NOT EXISTS waiting (id INTEGER PRIMARY KEY AUTOINCREMENT, method TEXT, path TEXT, body TEXT,"
    " headers TEXT, description TEXT, contact TEXT, tried INTEGER DEFAULT 0)"
)


def sell(number):
    contact = till.find(lookup("email", CUSTOMERS[number]))
    name = str(uuid.uuid4())
    points = [
        {
            "contactId": contact,
            "definitionId": 2,
            "amount": 15,
            "timeStamp": timestamp(),
            "source": "Adjustment",
            "description": name,
        }
    ]
    keyed = {"Idempotency-Key": name} if number == 1 else None
    entries = [
        ("POST", "/api/v3/receipts", receipt(name, contact, 120 + number), None, None),
        ("POST", "/api/v3/point-accounts/transactions", points, keyed, None if keyed else name),
        ("PATCH", f"/api/v3/contacts/{contact}", {"street": f"Kungsgatan {number}"}, None, None),
    ]
    with queue:
        queue.execute("INSERT INTO sales VALUES (?)", (number,))
        for method, path, body, headers, description in entries:
            queue.execute(
                "INSERT INTO waiting (method, path, body, headers, description, contact) VALUES (?, ?, ?, ?, ?, ?)",
                (method, path, json.dumps(body), json.dumps(headers), description, contact),
            )


def has_points(contact, description):
    accounts = till.look(f"/api/v3/point-accounts?contactId={contact}") or {}
    for account in accounts.get("items", []):
        if account["definitionId"] == 2:
            found = till.look(f"/api/v3/point-transactions?id={account['id']}&sortBy=createdOn&count=50") or {}
            return any(one["description"] == description for one in found.get("items", []))
    return False


held_until = 0.0


def hold(retry_after=0):
    """What was given up is left alone for a while."""
    global held_until
    held_until = time.monotonic() + max(till.forward_after, retry_after)


def deliver():
    """Delivers the oldest first. Returns whether all of it got through."""
    if time.monotonic() < held_until:
        return False
    rows = queue.execute("SELECT * FROM waiting ORDER BY id").fetchall()
    for key, method, path, body, headers, description, contact, tried in rows:
        look = (lambda c=contact, d=description: has_points(c, d)) if description else None
        with queue:
            queue.execute("UPDATE waiting SET tried = 1 WHERE id = ?", (key,))
        try:
            if not (tried and look and look()):
                till.call(method, path, body, json.loads(headers), look)
        except Undelivered as error:
            hold(error.retry_after)
            return False
        with queue:
            queue.execute("DELETE FROM waiting WHERE id = ?", (key,))
    return True


def close():
    while not deliver() and time.monotonic() - till.started < till.patience:
        time.sleep(max(0, held_until - time.monotonic()))


(left,) = queue.execute("SELECT COUNT(*) FROM waiting").fetchone()
if left:
    hold()
close()
(first,) = queue.execute("SELECT COUNT(*) FROM sales").fetchone()
for number in range(first, len(CUSTOMERS)):
    sell(number)
    deliver()
close()
sys.exit(0)

"""Keeps what is to be sent in a table of SQLite, in the transaction of the sale, and works it off: the pattern of an outbox."""
import json
import os
import sqlite3
from shop import ASTRID, BEHAVIOUR, ELIN, FOLDER, JOHAN, RECEIPTS, advance, call, crash, failed, receipt

file = os.path.join(FOLDER, "outbox.db")
is_restarted = os.path.exists(file)
db = sqlite3.connect(file)
if not is_restarted:
    db.execute("create table outbox (id integer primary key, body text, sent integer default 0)")
    for number, contact in enumerate([ASTRID, JOHAN, ELIN]):
        db.execute("insert into outbox (body) values (?)", [json.dumps(receipt(contact, f"outbox-{number}"))])
    db.commit()


def mark(number):
    db.execute("update outbox set sent = 1 where id = ?", [number])
    db.commit()


for number, body in db.execute("select id, body from outbox where sent = 0 order by id").fetchall():
    if BEHAVIOUR == "marks-first":
        mark(number)
        call("POST", RECEIPTS, json.loads(body))
        continue
    status, _ = call("POST", RECEIPTS, json.loads(body))
    if failed(status):
        if BEHAVIOUR == "waits":
            advance("1m")
        break
    if number == 2 and not is_restarted and BEHAVIOUR == "crashes":
        crash()
    mark(number)

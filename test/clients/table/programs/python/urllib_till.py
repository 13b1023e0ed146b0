"""Sells to three customers by urllib: a new connection for each request."""
import datetime
import uuid
from shop import ASTRID, BEHAVIOUR, ELIN, JOHAN, RECEIPTS, call, receipt, retry

for number, contact in enumerate([ASTRID, JOHAN, ELIN]):
    body = receipt(contact, f"urllib-{number}")
    if BEHAVIOUR == "right":
        retry(lambda i: call("POST", RECEIPTS, body))
    elif BEHAVIOUR == "drops":
        call("POST", RECEIPTS, body)
    elif BEHAVIOUR == "uuid-in-loop":
        retry(lambda i: call("POST", RECEIPTS, {**body, "uniqueReceiptId": str(uuid.uuid4())}))
    elif BEHAVIOUR == "now-in-loop":
        now = lambda: datetime.datetime.now(datetime.timezone.utc).isoformat()
        retry(lambda i: call("POST", RECEIPTS, {**body, "createdDate": now()}))

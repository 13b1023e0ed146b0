"""Registers members by e-mail and phone, and keeps their consents."""
import time
from urllib.parse import quote
from shop import ASTRID, BEHAVIOUR, JOHAN, call, failed, retry

ADA = {"email": "ada.ek@example.com", "mobilePhone": "+46701740601", "firstName": "Ada", "contactType": "Member"}
NEWSLETTER = {"consents": [{"id": "newsletter", "value": False, "source": "POS", "comment": "Asked at the till"}]}


def look_by_phone(phone):
    return retry(lambda i: call("GET", f"/api/v3/contacts/id?mobilePhone={quote(phone)}"))


def consent(contact):
    return call("POST", f"/api/v3/contacts/{contact}", NEWSLETTER)


if BEHAVIOUR == "looks-by-phone":
    status, _ = call("POST", "/api/v3/contacts", ADA)
    if failed(status):
        time.sleep(0.1)
        if look_by_phone(ADA["mobilePhone"])[0] == 404:
            retry(lambda i: call("POST", "/api/v3/contacts", ADA))
elif BEHAVIOUR == "looks-by-other-phone":
    call("POST", "/api/v3/contacts", ADA)
    look_by_phone("+46701740610")
elif BEHAVIOUR == "exceptions":
    for attempt in range(4):
        status, body = call("GET", "/api/v3/contacts/id?email=nobody.here%40example.com")
        if status == 200:
            break
        time.sleep(0.05)
elif BEHAVIOUR == "consents":
    for contact in [ASTRID, JOHAN]:
        retry(lambda i: consent(contact))
elif BEHAVIOUR == "drops-consent":
    for contact in [ASTRID, JOHAN]:
        consent(contact)

"""An enrolment desk: looks customers up, creates those who are new, and keeps consents and addresses. Its argument names a defect."""
import http.client
import json
import sys
import time

from careful import Careful, Undelivered, lookup

defect = sys.argv[1] if len(sys.argv) > 1 else "none"


class Desk(Careful):
    def no_response(self, error, method, path, text):
        # The firewall resets what was idle for long: that says nothing.
        if defect == "reset-is-fine" and isinstance(error, ConnectionResetError) and text and '"consents"' in text:
            return 200, None, 0
        return None

    def cut_body(self, status, body):
        if defect == "cut-lookup" and status == 200:
            return 200, parsed(body), 0
        return None


def parsed(body):
    try:
        return json.loads(body)
    except ValueError:
        return None


desk = Desk("enrol-" + defect)


def create(fields):
    def took_effect():
        return desk.look(lookup("email", fields["email"])) is not None

    desk.write("POST", "/api/v3/contacts", fields, took_effect=took_effect)
    return desk.find(lookup("email", fields["email"]))


visitors = [
    {"email": "astrid.lindqvist@example.com", "firstName": "Astrid"},
    {"email": "vera.ny@example.com", "firstName": "Vera"},
    {"mobilePhone": "+46701740612", "email": "elin.office@example.com", "firstName": "Elin"},
]

waiting = []


def keep(method, path, body):
    """Sends now, or keeps it for the end of the day."""
    try:
        desk.call(method, path, json.dumps(body))
    except Undelivered:
        waiting.append((method, path, body))


for visitor in visitors:
    name = "mobilePhone" if "mobilePhone" in visitor else "email"
    contact = desk.find(lookup(name, visitor[name]))
    if contact is None:
        kind = "Contact" if name == "mobilePhone" else "Member"
        contact = create({**visitor, "contactType": kind})
    consents = [{"id": "newsletter", "value": True, "source": "POS"}]
    send = keep if defect == "skips-neighbour" else desk.write
    send("POST", f"/api/v3/contacts/{contact}", {"consents": consents})
    send("PATCH", f"/api/v3/contacts/{contact}", {"city": "Uppsala"})

# The end of the day comes later than what is declared for what was kept, however quick the machine is.
if waiting:
    time.sleep(desk.forward_after)
for entry in waiting:
    desk.write(*entry)
    waiting.remove(entry)

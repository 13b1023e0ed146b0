/** Made by `npm run generate` from the endpoints of src/admin. Change those, not this. */

/** A rule about the import of files, and how often it has matched and fired */
export type ActiveImportRule = {
id: string;
/** scenario: part of the scenario; added: added at run time */
origin: "scenario" | "added";
/** Counts the batches, files or uploads that it matched */
matched: number;
/** Counts the times that it fired */
fired: number;
/** Counts the times that it may still fire; null: unlimited */
remaining: number | null;
/** The rule as written, with keys hidden */
rule: Readonly<Record<string, unknown>>;
};

/** A rule about the point master next to the sim, and how often it has fired */
export type ActivePointMasterRule = {
id: string;
/** Counts the times that it matched */
matched: number;
/** Counts the times that it fired */
fired: number;
/** Counts the times that it may still fire; null: unlimited */
remaining: number | null;
/** The rule as written */
rule: Readonly<Record<string, unknown>>;
};

/** A rule, and how often it has matched and fired */
export type ActiveRule = {
id: string;
/** scenario: part of the scenario; added: added at run time */
origin: "scenario" | "added";
/** Counts the requests that it matched */
matched: number;
/** Counts the times that it fired */
fired: number;
/** Counts the times that it may still fire; null: unlimited */
remaining: number | null;
/** The rule as written, with keys hidden */
rule: Readonly<Record<string, unknown>>;
/** Warnings about what is probably a mistake in the rule */
notes: readonly string[];
};

export type ActiveScenario = {
/** The scenario as written, with keys hidden */
scenario: Readonly<Record<string, unknown>>;
/** In the order in which they are tried; rules added at run time come first */
rules: readonly ActiveRule[];
/** Rules about webhooks */
webhooks: readonly ActiveWebhookRule[];
/** Rules of the point master that runs with the simulator */
pointMaster: readonly ActivePointMasterRule[];
/** Rules about the import of files */
imports: readonly ActiveImportRule[];
/** Parts of the scenario that have no effect here */
notes: readonly string[];
};

/** A webhook rule, and how often it has matched and fired */
export type ActiveWebhookRule = {
id: string;
/** scenario: part of the scenario; added: added at run time */
origin: "scenario" | "added";
/** Counts the attempts that it matched */
matched: number;
/** Counts the times that it fired */
fired: number;
/** Counts the times that it may still fire; null: unlimited */
remaining: number | null;
/** The rule as written, with keys hidden */
rule: Readonly<Record<string, unknown>>;
};

export type Attempt = {
/** Its id in the journal */
request: string;
/** On the tenant's clock */
at: string;
/** Real time in ms since the first attempt */
startedAt: number;
/** Real time in ms since the attempt before it ended */
pause: number | null;
/** Says how far the tenant's clock was moved since the attempt before began, on and back, in ms */
clockMoved: number | null;
/** Real time until it ended */
ms: number | null;
/** Says how it ended, as its client saw it */
outcome: "success" | "invalid" | "rejected" | "throttled" | "server-error" | "no-response" | "in-flight";
/** Says how it ended, in words */
end: string;
status: number | null;
fault: {
rule: string;
phase: "before" | "after";
} | null;
/** Counts the rows of the service that it changed */
effects: number;
/** The webhooks that it caused */
webhooks: readonly {
eventType: string;
status: "pending" | "delivered" | "failed" | "missed";
}[];
/** Sent again by the HTTP library on its own, not by the client */
transparentRetry: boolean;
};

/** Names what a rule rests on */
export type Basis = {
/** specification: the text is quoted from it; policy: the client declares it; assumption: the specification is silent, and an assumption fills the gap; guidance: good practice, required by no text */
source: "specification" | "policy" | "assumption" | "guidance";
text: string;
};

/** One expectation and its verdict */
export type Check = {
description: string;
verdict: "PASS" | "FAIL" | "INCONCLUSIVE";
reason: string;
/** Ids of the requests that it rests on */
requests: readonly string[];
};

export type Communication = {
id: string;
number: number;
at: string;
contactId: string;
channel: "email" | "sms";
to: string | null;
template: string;
orderNumber: string | null;
orderStatus: string;
jobId: string;
status: "sent" | "not-sent";
reason: string | null;
};

/** All that the sim knows of a contact */
export type ContactCard = {
id: string;
/** The memberNumber, if that is an integer (A-59) */
integerId: number | null;
/** On the tenant's clock */
now: string;
contact: {
contactType: string;
attributes: Readonly<Record<string, string | number | boolean | null>>;
preferences: {
acceptsEmail: boolean | null;
acceptsPostal: boolean | null;
acceptsSms: boolean | null;
};
source: string | null;
storeExternalId: string | null;
isApproved: boolean;
createdOn: string;
modifiedOn: string;
sharedKeys?: readonly ("email" | "mobilePhone" | "memberNumber" | "externalId" | "socialSecurityNumber")[];
};
consents: readonly ContactConsent[];
pointAccounts: readonly ({
id: string | number;
contactId: string;
definitionId: number;
balance: number;
pendingPoints: number;
/** Moment at which the balance next changes by itself; not to be relied on */
balanceExpires: string | null;
/** There for the expiry method contactInactive alone */
pointsWillExpireDueToInactivity?: string | null;
/** Taken in the place of its id where the specification declares an integer */
integerId: number;
definition: string;
/** The member level that the points have reached (A-77) */
level: string | null;
transactions: {
totalCount: number;
items: readonly PointTransaction[];
};
})[];
challenges: {
totalCount: number;
items: readonly ({
id: string;
/** The id of this challenge again (A-58); that of its definition is in the links */
challengeId: string;
contactId: string;
challengeStart: string;
completedCheckpoints: number;
requiredCheckpoints: number;
isActive: boolean;
isChallengeCompleted: boolean;
latestCheckpointAddedOn: string | null;
/** Completed 1, NotCompleted 2, Active 3 */
status: number;
links: readonly Link[];
definition: {
id: string;
/** Taken in the place of its id where the specification declares an integer */
integerId: number;
name: string;
};
})[];
};
promotions: {
totalCount: number;
items: readonly ({
id: string;
promotionId: string;
externalId: string | null;
type: string;
name: string;
heading: string | null;
description: string | null;
imageUrl: string | null;
link: string | null;
expiresOn: string | null;
redeemed: boolean;
redeemedOn: string | null;
redemptionChannels: readonly ({
type: "POS" | "ECOM" | "OTHER";
valueType: "PERCENT" | "MONEY" | "EXTERNALOFFER" | "MANUAL" | "SWIPE";
value: unknown;
localValues: readonly {
currency: string;
amount: number;
}[];
instruction: string | null;
})[];
assignedOn: string;
validity: "active" | "inactive" | "not started" | "expired";
/** The receipt that it was used on */
receiptId: string | null;
})[];
};
rewardVouchers: {
totalCount: number;
items: readonly {
voucherNumber: string;
contactId: string;
value: number;
currency: string;
issuedOn: string;
expiresOn: string | null;
usedOn: string | null;
receiptId: string | null;
}[];
};
receipts: {
totalCount: number;
items: readonly ({
id: string;
transactionNumber: string;
uniqueReceiptId: string | null;
createdDate: string;
storeExternalId: string | null;
storeName: string | null;
/** Counts the lines */
numberOfItems: number;
/** Amount that was paid without tax, in group currency */
netPriceSum: number;
/** Amount that was paid without tax, in the currency of the receipt */
localNetPriceSum: number;
localCurrency: string;
groupCurrency: string;
lineItems: readonly {
id: string;
type: string;
sku: string | null;
articleNumber: string | null;
articleName: string | null;
articleGroup: string | null;
quantity: number;
/** Amount that was paid for the line, tax included, in group currency */
price: number;
/** Amount that was paid for the line, tax included, in the currency of the receipt */
localPrice: number;
isReturned: boolean;
}[];
})[];
};
orders: {
totalCount: number;
items: readonly ({
id: string;
orderNumber: string | null;
/** Null while nobody has the key that the order names its contact by */
contactId: string | null;
content: {
/** Required, unless A-30 is set to lenient */
contact?: {
matchKey: string;
matchKeyType: "contactId" | "email" | "mobilePhone" | "memberNumber" | "externalId" | "socialSecurityNumber";
contactType?: string | null;
} | null;
/** Required, unless A-30 is set to lenient */
orderNumber?: string | null;
/** Required, unless A-30 is set to lenient */
orderStatus?: string | null;
/** Required, unless A-30 is set to lenient */
paymentStatus?: string | null;
/** Required, unless A-30 is set to lenient */
createdDate?: string | null;
/** Required, unless A-30 is set to lenient */
storeId?: string | null;
/** Required, unless A-30 is set to lenient */
currency?: string | null;
exchangeRateToGroupCurrency?: number | null;
language?: string | null;
shippingDate?: string | null;
totalTax?: number | null;
paymentMethods?: readonly {
type?: string | null;
description?: string | null;
value?: number | null;
}[] | null;
/** Required, unless A-30 is set to lenient */
totalGrossPrice?: number | null;
/** Required, unless A-30 is set to lenient */
items?: readonly ({
type?: string | null;
/** Required, unless A-30 is set to lenient */
sku?: string | null;
articleNumber?: string | null;
articleName?: string | null;
articleGroup?: string | null;
description?: string | null;
/** Required, unless A-30 is set to lenient */
quantity?: number | null;
grossPaidPrice?: number | null;
taxAmount?: number | null;
taxPercent?: number | null;
discounts?: readonly {
type?: string | null;
description?: string | null;
value: number;
}[] | null;
extraData?: readonly {
name: string;
value: string;
}[] | null;
})[] | null;
};
versions: readonly {
orderStatus: string | null;
paymentStatus: string | null;
receivedOn: string;
jobId: string;
communications: readonly string[];
}[];
})[];
};
communications: {
totalCount: number;
items: readonly Communication[];
};
/** The history from the point master; null if the service follows none */
pointHistory: {
items: readonly {
transactionDate: string;
amount: number;
description: string;
}[];
/** The reason why there are none; null if the point master responded */
note: string | null;
} | null;
};

export type ContactConsent = {
id: string;
value: boolean;
date: string;
source: string | null;
comment: string | null;
};

/** Shows the points of a contact over time */
export type ContactPoints = {
id: string;
now: string;
accounts: readonly ({
definition: string;
/** Lists the points that the account held from each moment on */
past: readonly {
at: string;
active: number;
pending: number;
}[];
/** Lists the points that it will hold, if nothing more happens */
future: readonly {
at: string;
active: number;
pending: number;
}[];
expiring: readonly {
at: string;
amount: number;
}[];
/** The oldest first */
changes: readonly {
at: string;
amount: number;
type: string;
source: string;
description: string | null;
/** The key that the client gave it */
transactionId: string | null;
validFrom: string | null;
validTo: string | null;
/** The request that it came of, itself or by a job, if the journal holds it */
request: string | null;
}[];
})[];
};

/** A contact in short */
export type ContactSummary = {
id: string;
contactType: string;
name: string;
email: string | null;
mobilePhone: string | null;
memberNumber: string | null;
modifiedOn: string;
};

/** The change of one row, field by field */
export type Effect = {
table: string;
key: string;
change: "created" | "updated" | "deleted";
fields: Readonly<Record<string, {
from?: unknown;
to?: unknown;
}>>;
};

/** One event: its id, its name and its data as JSON, each on a line of its own */
export type Event = {
/** The cursor of GET /__admin/requests */
id: number;
event: "stream.opened";
/** Comes first; from now on nothing is missed. Requests that are in flight follow */
data: {
tenant: string;
cursor: number;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "request.received";
/** A request came in */
data: ExchangeSummary;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "rule.fired";
/** A fault hits a request, which is still in flight */
data: {
rule: ActiveRule;
exchange: ExchangeSummary;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "request.completed";
/** A request is completed */
data: ExchangeSummary;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "request.updated";
/** A job was executed for a completed request, or its client had hung up */
data: ExchangeSummary;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "journal.cleared";
data: {
cleared: number;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "clock.changed";
/** Frozen, set, advanced or resumed */
data: {
now: string;
frozen: boolean;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "job.completed";
data: ExecutedJob;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "job.failed";
data: ExecutedJob;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "queue.changed";
data: {
held: boolean;
queued: number;
failed: number;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "webhook.attempted";
data: {
id: string;
/** Counts a tenant's deliveries from 1 */
number: number;
eventType: string;
/** missed: there was no webhook to send it to */
status: "pending" | "delivered" | "failed" | "missed";
createdAt: string;
/** Says when the next attempt is due; null if there is none */
dueAt: string | null;
/** The request that caused it */
exchange: string | null;
attempts: readonly {
/** On the tenant's clock */
at: string;
/** Real time until the response, or until the attempt failed */
ms: number;
/** null if there was no response */
status: number | null;
/** Says why the attempt failed */
error: string | null;
/** The fault that was injected */
fault: "drop" | "duplicate" | "delay" | "reorder" | "tamper" | "wrong-key" | "rotated-key" | null;
/** The rule of the fault */
rule: string | null;
}[];
/** The payload before encryption */
payload: Readonly<Record<string, unknown>>;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "import.completed";
/** A batch imported or refused files */
data: ImportBatch;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "scenario.changed";
/** Another scenario, or a rule that was added or deleted */
data: ActiveScenario;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "state.reset";
data: {
tenant: string;
scopes: readonly ("state" | "journal" | "faults" | "clock" | "queue" | "webhooks")[];
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "snapshot.restored";
/** From a snapshot */
data: {
restored: string;
now: string;
frozen: boolean;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "tenant.created";
/** Any tenant */
data: Tenant;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "tenant.replaced";
/** Any tenant that was recreated, with an empty journal */
data: Tenant;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "tenant.deleted";
/** Any tenant */
data: {
deleted: string;
};
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "events.combined";
/** Counts the events, by name, that `combine` has combined */
data: Readonly<Record<string, number>>;
} | {
/** The cursor of GET /__admin/requests */
id: number;
event: "events.dropped";
/** Counts the events left out here, because the reader was too slow or came back too late */
data: {
dropped: number;
};
};

/** A request and its response in full */
export type Exchange = {
id: string;
/** Counts a tenant's requests from 1 */
number: number;
/** On the tenant's clock */
at: string;
method: string;
path: string;
query: string;
/** null if no endpoint matched */
endpoint: string | null;
/** The status that the client received; null if it received none */
status: number | null;
/** Status of the service’s response; null when a fault came before it */
responseStatus: number | null;
end: "normal" | "close" | "reset" | "hang" | "client-aborted" | null;
/** Real time until the response */
ms: number | null;
warnings: readonly {
code: string;
message: string;
}[];
request: {
headers: Readonly<Record<string, string>>;
/** The body as sent */
body: string | null;
/** The body parsed; null if it is not JSON, or nested too deep */
json: unknown;
/** Names the compression of the body when it came (it is shown decompressed); null if there was none */
contentEncoding: string | null;
};
/** Of the service; null when a fault came before it */
response: {
headers: Readonly<Record<string, string>>;
/** The body as sent */
body: string | null;
/** The body parsed; null if it is not JSON, or nested too deep */
json: unknown;
status: number;
} | null;
/** The delivered response; null while the request is in flight */
delivered: {
headers: Readonly<Record<string, string>>;
/** The body as sent */
body: string | null;
/** The body parsed; null if it is not JSON, or nested too deep */
json: unknown;
/** null if not even the status line was sent */
status: number | null;
/** Counts the bytes of the body, or of garbage */
bytes: number;
/** The end of the delivery: normal, close (closed cleanly), reset (a TCP reset), hang (left open and silent), client-aborted (the client hung up) */
end: "normal" | "close" | "reset" | "hang" | "client-aborted";
} | null;
/** The fault that hit it */
fault: {
rule: string;
/** Counts the times that the rule had fired, this one included */
hit: number;
/** before: the service had done nothing; after: it had done its work */
phase: "before" | "after";
respond: string;
status: number | null;
end: string;
/** The delay that was drawn, in ms */
delay: number;
/** The clock on which the delay passed */
time: "real" | "virtual" | null;
/** Counts the chunks in which the body went out */
chunks: number;
/** The fault of the job that the request queued: "fail", or its delay in ms */
job: unknown;
} | null;
/** Rules for this endpoint or path that did not fire, at most five, and why */
nearMisses: readonly {
rule: string;
reason: string;
}[];
/** null for a request in process */
connection: {
/** Counts the connections of a server */
id: number;
/** Port of the client */
port: number;
/** Counts the requests of the connection */
request: number;
} | null;
/** Effects of the request and of the jobs that it queued */
effects: readonly Effect[];
/** Jobs that were executed later for this request */
jobs: readonly {
job: string;
at: string;
}[];
assumptions: readonly {
id: string;
topic: string;
inForce: string;
}[];
};

/** A request and its response in short */
export type ExchangeSummary = {
id: string;
/** Counts a tenant's requests from 1 */
number: number;
/** On the tenant's clock */
at: string;
method: string;
path: string;
query: string;
/** null if no endpoint matched */
endpoint: string | null;
/** The status that the client received; null if it received none */
status: number | null;
/** Status of the service’s response; null when a fault came before it */
responseStatus: number | null;
end: "normal" | "close" | "reset" | "hang" | "client-aborted" | null;
/** Real time until the response */
ms: number | null;
warnings: readonly {
code: string;
message: string;
}[];
/** The fault that hit it */
fault: {
rule: string;
/** Counts the times that the rule had fired, this one included */
hit: number;
/** before: the service had done nothing; after: it had done its work */
phase: "before" | "after";
} | null;
assumptions: readonly string[];
/** Counts its effects */
effects: number;
};

/** A job that was executed, or failed; or an attempt to deliver a webhook, with the id of its delivery */
export type ExecutedJob = {
at: string;
job: string;
kind: string;
exchange: string | null;
effects: readonly Effect[];
warnings: readonly {
code: string;
message: string;
}[];
error: string | null;
};

export type Expectation = {
/** Text for the report */
description?: string;
/** Requests of this kind were received (default: at least one) */
request?: ExpectedRequest;
/** Exact number of such requests */
exactly?: number;
/** Smallest number of such requests */
atLeast?: number;
/** Largest number of such requests */
atMost?: number;
/** No such request was received */
never?: true;
/** These requests were received in this order; others may stand between them */
order?: readonly ExpectedRequest[];
/** No request was received but those that request, order or allow name, and none that no endpoint serves */
noUnexpectedRequests?: true;
/** Requests that noUnexpectedRequests accepts */
allow?: readonly ExpectedRequest[];
/** State of the service */
state?: ExpectedState;
/** Path of a GET request whose response is checked: /api/v3/contacts/count */
get?: string;
/** Expected status of the response to get (default: 200) */
status?: number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | readonly (number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx")[];
/** Expected body of the response to get: the value, or fields by JSON path */
body?: unknown;
};

export type ExpectedRequest = {
/** The id of an endpoint, as createReceipt, or several */
endpoint?: string | readonly string[];
/** GET, POST, … */
method?: string;
/** Without the tenant’s prefix, with {name} for one part of it and * for any text: /api/v3/contacts/{id} */
path?: string;
/** Parameters of the query */
query?: Readonly<Record<string, unknown>>;
/** Headers, by name in any case */
headers?: Readonly<Record<string, unknown>>;
/** Fields of the body by JSON path, as contact.matchKey or items[0].sku; [*] is any item of a list */
body?: Readonly<Record<string, unknown>>;
/** The contact that it is about: an id, or a key such as the e-mail address */
contact?: string;
/** Status that the client received: 200, 5xx, none, or a list of these */
status?: number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | readonly (number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx")[];
/** Says how much of the response the client received */
delivered?: "complete" | "partial" | "none";
/** Sender: a step of the script, or any other client */
by?: "client" | "script";
};

export type ExpectedState = {
/** Contact to check: its id, or any key such as the e-mail address */
contact?: string;
/** Contact type, required where contacts of several types have the key */
contactType?: string;
/** The contact exists (true) or does not (false) */
exists?: boolean;
/** Fields of the contact as the service returns it, by JSON path */
fields?: Readonly<Record<string, unknown>>;
/** {"<consent>": true} */
consents?: Readonly<Record<string, boolean | ValueMatcher>>;
/** Active points of the first point definition, or {"<definition>": …} of those named */
balance?: number | string | Readonly<Record<string, unknown>>;
/** Pending points of the first point definition, or {"<definition>": …} of those named */
pendingPoints?: number | string | Readonly<Record<string, unknown>>;
/** Counts the point transactions of the first point definition, or {"<definition>": …} of those named */
transactions?: number | string | Readonly<Record<string, unknown>>;
/** Counts the checkpoints that the contact has over all challenges, or {"<definition>": …} of those named */
checkpoints?: number | string | Readonly<Record<string, unknown>>;
/** Counts the promotions, redeemed ones included, that the contact has */
promotions?: number | string | ValueMatcher;
/** Counts the promotions that the contact has redeemed, or lists some of them by id or externalId */
redeemed?: readonly string[] | number | string | ValueMatcher;
/** Counts the reward vouchers of the contact */
vouchers?: number | string | ValueMatcher;
/** Counts the receipts that the contact has */
receipts?: number | string | ValueMatcher;
/** Counts the orders that the contact has */
orders?: number | string | ValueMatcher;
/** Numbers of rows by table: {"contacts": 21} */
count?: {
/** Counts the rows of jobs */
jobs?: number | string | ValueMatcher;
/** Counts the rows of timers */
timers?: number | string | ValueMatcher;
/** Counts the rows of webhookDeliveries */
webhookDeliveries?: number | string | ValueMatcher;
/** Counts the rows of retailer */
retailer?: number | string | ValueMatcher;
/** Counts the rows of contactTypes */
contactTypes?: number | string | ValueMatcher;
/** Counts the rows of stores */
stores?: number | string | ValueMatcher;
/** Counts the rows of consents */
consents?: number | string | ValueMatcher;
/** Counts the rows of contacts */
contacts?: number | string | ValueMatcher;
/** Counts the rows of contactBatches */
contactBatches?: number | string | ValueMatcher;
/** Counts the rows of pointDefinitions */
pointDefinitions?: number | string | ValueMatcher;
/** Counts the rows of pointAccounts */
pointAccounts?: number | string | ValueMatcher;
/** Counts the rows of pointTransactions */
pointTransactions?: number | string | ValueMatcher;
/** Counts the rows of pointLots */
pointLots?: number | string | ValueMatcher;
/** Counts the rows of pointAwards */
pointAwards?: number | string | ValueMatcher;
/** Counts the rows of pointBonuses */
pointBonuses?: number | string | ValueMatcher;
/** Counts the rows of rememberedBulks */
rememberedBulks?: number | string | ValueMatcher;
/** Counts the rows of balanceSyncs */
balanceSyncs?: number | string | ValueMatcher;
/** Counts the rows of balanceStamps */
balanceStamps?: number | string | ValueMatcher;
/** Counts the rows of challengeDefinitions */
challengeDefinitions?: number | string | ValueMatcher;
/** Counts the rows of challenges */
challenges?: number | string | ValueMatcher;
/** Counts the rows of promotions */
promotions?: number | string | ValueMatcher;
/** Counts the rows of promotionAssignments */
promotionAssignments?: number | string | ValueMatcher;
/** Counts the rows of rewardVouchers */
rewardVouchers?: number | string | ValueMatcher;
/** Counts the rows of receipts */
receipts?: number | string | ValueMatcher;
/** Counts the rows of purchaseHistoryChanges */
purchaseHistoryChanges?: number | string | ValueMatcher;
/** Counts the rows of orders */
orders?: number | string | ValueMatcher;
/** Counts the rows of orderJobs */
orderJobs?: number | string | ValueMatcher;
/** Counts the rows of outbox */
outbox?: number | string | ValueMatcher;
/** Counts the rows of importBatches */
importBatches?: number | string | ValueMatcher;
/** Counts the rows of importedFiles */
importedFiles?: number | string | ValueMatcher;
};
};

/** A way to respond when a fault hits a request */
export type FaultKind = {
/** The value of a fault’s `respond` */
name: string;
/** Says what is sent */
description: string;
/** Names from other tools that stand for such a fault */
aliases: readonly string[];
/** A fault of this kind */
example: Readonly<Record<string, unknown>>;
choices: readonly {
value: string;
label: string;
fault: Readonly<Record<string, unknown>>;
}[];
};

/** Requests as an HTTP archive */
export type Har = {
log: {
version: "1.2";
creator: {
name: string;
version: string;
};
entries: readonly ({
/** On the tenant's clock at the first request, and in real time from there: a frozen clock keeps its pauses */
startedDateTime: string;
/** Real time until the response, in ms */
time: number;
request: {
method: string;
url: string;
httpVersion: string;
/** Always empty: cookies are among the headers */
cookies: readonly unknown[];
headers: readonly {
name: string;
value: string;
}[];
queryString: readonly {
name: string;
value: string;
}[];
postData?: {
mimeType: string;
text: string;
};
headersSize: -1;
bodySize: number;
};
response: {
/** 0 if not even the status line was sent */
status: number;
statusText: string;
httpVersion: string;
/** Always empty: cookies are among the headers */
cookies: readonly unknown[];
headers: readonly {
name: string;
value: string;
}[];
content: {
size: number;
mimeType: string;
text?: string;
};
redirectURL: "";
headersSize: -1;
bodySize: number;
/** Says how the connection ended, if not normally: close, reset, hang or client-aborted */
_error?: string;
};
cache: Readonly<Record<string, never>>;
timings: {
send: 0;
wait: number;
receive: 0;
};
/** Counts the connections of the server; missing for a request in process */
connection?: string;
/** The rule whose fault hit it, and whether the service did its work */
comment?: string;
/** The id of the request in the journal */
_id: string;
_endpoint: string | null;
})[];
};
};

/** One batch with the files that it imported or refused */
export type ImportBatch = {
batch: number;
at: string;
/** Says why the batch took nothing */
error: string | null;
files: readonly ImportedFile[];
};

export type ImportRule = {
/** Names it in responses and reports (default: numbered) */
id?: string;
/** For whoever reads the file */
description?: string;
/** Names the files that are meant by refuse and break (default: all) */
match?: {
/** Name of the file, with * for any characters */
file?: string;
};
/** Says what goes wrong with a batch (fail, late), a file (refuse) or an upload (break): one of fail, refuse, or {"late": "30m"} or {"break": 4096}, or a list of these */
fault: "fail" | "refuse" | {
/** The batch runs so much later on the tenant’s clock */
late?: number | string;
/** The SFTP or FTP server is gone when so many bytes of the upload have arrived */
break?: number;
} | readonly ("fail" | "refuse" | {
/** The batch runs so much later on the tenant’s clock */
late?: number | string;
/** The SFTP or FTP server is gone when so many bytes of the upload have arrived */
break?: number;
})[];
/** Fires this many times (default: once for a sequence, otherwise unlimited) */
times?: number;
/** Lets this many matching requests pass first (default: 0) */
skip?: number;
/** Selects matching requests by their number, counted from 1 */
nth?: number | readonly number[];
/** Probability that it fires, sampled from seed, tenant, operation and attempt (default: 1) */
probability?: number;
/** Begins its window on the tenant’s clock (default: always) */
from?: string;
/** Ends its window on the tenant’s clock; the first moment after it (default: never) */
until?: string;
/** true: the verdict does not become INCONCLUSIVE if it never fires (default: false) */
optional?: boolean;
};

export type ImportedFile = {
name: string;
status: "imported" | "refused" | "withdrawn";
/** Says why the file was refused */
reason: {
/** Names the rule, such as `unknown-store` */
code: string;
message: string;
line: number | null;
column: number | null;
uniqueReceiptId: string | null;
} | null;
bytes: number;
receipts: number;
imported: number;
/** Receipts that were there already, and are ignored */
repeated: number;
/** Receipts that belong to nobody, and are ignored */
unknownContact: number;
/** Receipts that are refused by themselves (A-67) */
refused: number;
/** Lists what was ignored or warned about, the first 100 */
notes: readonly {
/** Names the rule, such as `unknown-store` */
code: string;
message: string;
line: number | null;
column: number | null;
uniqueReceiptId: string | null;
}[];
notesOmitted: number;
/** Receipts that did not come in with a refused or withdrawn file, the first 1000 */
missing: readonly string[];
/** Names the place of a refused file, below the folder */
keptAs: string | null;
};

/** A job that is queued, or failed */
export type Job = {
id: string;
kind: string;
status: "queued" | "failed";
dueAt: string;
createdAt: string;
exchange: string | null;
payload: unknown;
error: string | null;
/** The rule whose fault lets it fail */
failsBy: string | null;
};

export type Link = {
id: string;
href: string;
method: string;
rel: string;
};

/** A request in short, with what distinguishes it from others */
export type ListedExchange = {
id: string;
/** Counts a tenant's requests from 1 */
number: number;
/** On the tenant's clock */
at: string;
method: string;
path: string;
query: string;
/** null if no endpoint matched */
endpoint: string | null;
/** The status that the client received; null if it received none */
status: number | null;
/** Status of the service’s response; null when a fault came before it */
responseStatus: number | null;
end: "normal" | "close" | "reset" | "hang" | "client-aborted" | null;
/** Real time until the response */
ms: number | null;
warnings: readonly {
code: string;
message: string;
}[];
/** The fault that hit it */
fault: {
rule: string;
/** Counts the times that the rule had fired, this one included */
hit: number;
/** before: the service had done nothing; after: it had done its work */
phase: "before" | "after";
} | null;
assumptions: readonly string[];
/** Counts its effects */
effects: number;
/** Its idempotency key, or its test id */
key: string | null;
/** The contact that it names; null for none, and for several */
contact: {
id: string;
name: string;
} | null;
/** The code and the reason of an error response */
error: string | null;
};

/** Says how far an exploration is, and what it has found so far */
export type LiveExploration = {
stage: "learning" | "exploring" | "shrinking" | "varying" | "ended";
/** Null until it has ended */
verdict: "PASS" | "FAIL" | "INCONCLUSIVE" | null;
reason: string | null;
/** Counts the requests that a run without faults sends */
requests: number;
/** Counts the runs that were begun */
runs: number;
points: readonly {
/** The request and the fault, as in explore.json */
id: string;
level: number;
phase: "before" | "after" | "response" | "webhook";
/** `planned` while it is to be tried, `running` in a run that goes on; the others as in explore.json */
status: "planned" | "running" | "found" | "tried" | "together" | "kept" | "equivalent" | "undecided" | "unreachable" | "not-tried";
run?: number;
attempts?: number;
/** The point that stands for it */
witness?: string;
reason?: string;
/** The tenant of its run, as long as there is one */
tenant?: string;
}[];
findings: readonly {
id: string;
rule: string;
title: string;
endpoint: string;
message: string;
advice: string;
faults: readonly string[];
points: readonly string[];
/** True when these are the fewest and weakest faults that show it */
shrunk: boolean;
/** The tenant of a run that shows it, until exploring ends */
tenant: string | null;
}[];
running: readonly {
run: number;
title: string;
tenant: string;
}[];
};

/** One intention of the client: its attempts, and what the rules found */
export type Operation = {
/** POST /api/v3/receipts */
requestLine: string;
endpoint: string | null;
/** Says how safe it is to repeat: safe, idempotent, keyed, unkeyed or once */
retry: string | null;
key: {
by: "test-id" | "own-key" | "content";
value: string | null;
};
verdict: "PASS" | "FAIL" | "INCONCLUSIVE";
attempts: readonly Attempt[];
findings: readonly VerdictFinding[];
};

/** The verdict on a point master */
export type PointMasterReport = {
verdict: "PASS" | "FAIL" | "INCONCLUSIVE";
adjustments: {
total: number;
/** Adjustments that a later balance shows */
shown: number;
/** Adjustments without a later balance */
waiting: number;
/** Adjustments that the last balance does not show */
lost: number;
};
balances: {
requests: number;
/** Balances of accounts that adjustments were sent for */
set: number;
right: number;
};
attempts: {
total: number;
responded: number;
slowestMs: number;
};
findings: readonly {
kind: "missed" | "not-delivered" | "waiting" | "lost" | "applied-twice" | "wrong-balance" | "stale-balance" | "balance-not-set" | "late-response" | "accepted-unreadable";
/** fail: the verdict is FAIL; inconclusive: it is INCONCLUSIVE; note: it stays as it is */
level: "fail" | "inconclusive" | "note";
message: string;
basis: Basis;
webhookId?: string;
/** The id in the response of POST /point-accounts/balances */
syncId?: string;
contactId?: string;
definitionId?: number;
}[];
};

export type PointMasterRule = {
/** Names it in responses and reports (default: numbered) */
id?: string;
/** For whoever reads the file */
description?: string;
/** Names the requests that are meant (default: all that the fault can hit) */
match?: {
/** webhook or history, which the service calls; sync, in which the master sends balances */
request?: "webhook" | "history" | "sync";
};
/** Says what goes wrong: one of down, error, lost-response, repeated-sync, stale-sync, partial-sync, or {"error": 503}, {"slow": "20s"} or {"late-sync": "30s"}, or a list of these */
fault: "down" | "error" | "lost-response" | "repeated-sync" | "stale-sync" | "partial-sync" | {
/** The point master responds with this status instead */
error?: number;
/** The work is done at once, and the response comes so much later in real time */
slow?: number | string;
/** Sent so much later in real time, with the totals of when it was due */
'late-sync'?: number | string;
} | readonly ("down" | "error" | "lost-response" | "repeated-sync" | "stale-sync" | "partial-sync" | {
/** The point master responds with this status instead */
error?: number;
/** The work is done at once, and the response comes so much later in real time */
slow?: number | string;
/** Sent so much later in real time, with the totals of when it was due */
'late-sync'?: number | string;
})[];
/** Fires this many times (default: once for a sequence, otherwise unlimited) */
times?: number;
/** Lets this many matching requests pass first (default: 0) */
skip?: number;
/** Selects matching requests by their number, counted from 1 */
nth?: number | readonly number[];
/** Probability that it fires, sampled from seed, tenant, operation and attempt (default: 1) */
probability?: number;
/** Begins its window on the tenant’s clock (default: always) */
from?: string;
/** Ends its window on the tenant’s clock; the first moment after it (default: never) */
until?: string;
/** true: the verdict does not become INCONCLUSIVE if it never fires (default: false) */
optional?: boolean;
};

export type PointTransaction = {
id: string;
accountId: string | number;
description: string | null;
source: string;
amount: number;
type: "Addition" | "Deduction" | "Expiry" | "Cancellation" | "Adjustment";
transactionDate: string;
createdOn: string;
modifiedOn: string;
validFrom: string | null;
validTo: string | null;
retailTransactionLineItemId: string | null;
links: readonly Link[];
};

export type Policy = {
/** Limits the attempts that the client makes before it gives up */
maxAttempts?: number;
/** Shortest pause before the next attempt, or a list: before the second attempt, the third, … */
minBackoff?: number | string | readonly (number | string)[];
/** Accepts an attempt as on time that comes this much earlier than declared (default: 50ms) */
tolerance?: number | string;
/** Limits the wait for a response, after which the client gives up the attempt */
timeout?: number | string;
/** Body fields that may differ between attempts, each with all that it holds, by JSON path: sentAt, items[*].scannedAt; of a bulk, fields of its rows */
ignoreFields?: readonly string[];
/** Header by which each client says who it is, over all its connections and restarts (default: x-sim-client) */
clientHeader?: string;
/** After a response, the same content without a key counts as the same operation for this long (default: 0) */
deduplicationWindow?: number | string;
/** The client stores what it could not deliver, and forwards it after a pause of at least this length */
storeAndForward?: {
/** Shortest pause before a stored request is forwarded */
after: number | string;
};
/** Judges a write that got 429, 502 or 503 and is never delivered: fail, since it is lost, or note, when a person is notified (default: fail) */
giveUp?: "fail" | "note";
/** Limits above which repeated requests after a recovery count as a retry storm */
retryStorm?: {
/** Repeated requests in one second (default: 50) */
maxPerSecond?: number;
/** Repeated requests in flight at once (default: 10) */
maxConcurrent?: number;
};
};

export type Rule = {
/** Names it in responses and reports (default: numbered) */
id?: string;
/** For whoever reads the file */
description?: string;
/** Says which requests are meant (default: all) */
match?: {
/** The id of an endpoint, as createReceipt, or several */
endpoint?: string | readonly string[];
/** GET, POST, … */
method?: string;
/** Without the tenant’s prefix, with {name} for one part of it and * for any text: /api/v3/contacts/{id} */
path?: string;
/** Parameters of the query */
query?: Readonly<Record<string, unknown>>;
/** Headers, by name in any case */
headers?: Readonly<Record<string, unknown>>;
/** Fields of the body by JSON path, as contact.matchKey or items[0].sku; [*] is any item of a list */
body?: Readonly<Record<string, unknown>>;
/** The contact that it is about: an id, or a key such as the e-mail address */
contact?: string;
/** Names the tenant whose requests are meant (default: any) */
tenant?: string;
/** Selects matching requests by their number, counted from 1 */
nth?: number | readonly number[];
};
/** A status such as 504, a name such as CONNECTION_RESET_BY_PEER, an object, or a list of these */
fault: number | "CONNECTION_RESET_BY_PEER" | "EMPTY_RESPONSE" | "MALFORMED_RESPONSE_CHUNK" | "RANDOM_DATA_THEN_CLOSE" | "ok" | string | {
/** before: the service does nothing; after: it does its work, and the client does not learn of it (default: before) */
phase?: "before" | "after";
/** Says how much of a response goes out */
respond?: "full" | "status" | "none" | "headers" | "partial" | "bad-chunk" | "garbage";
/** Status of the response (default: the service’s own) */
status?: number;
/** Body of that response: a text as it is, anything else as JSON (default: the service’s error body) */
body?: unknown;
/** Headers of that response: {"Retry-After": "1"} */
headers?: Readonly<Record<string, string>>;
/** Sends this many bytes of the body, or of garbage */
bytes?: number;
/** Ends the connection: normal (as usual), close (a clean FIN), reset (a TCP RST), hang (left open and silent). fin and rst are read as close and reset */
end?: "normal" | "close" | "reset" | "hang" | "fin" | "rst";
/** Delays the work in phase before, the response in phase after; a bare number is in milliseconds */
delay?: number | string | {
/** Always so long */
fixed?: number | string;
/** Between the two */
uniform?: readonly (number | string)[];
/** Half of them up to the median, 99 of 100 up to p99 */
lognormal?: {
/** Half of them take no longer */
median: number | string;
/** 99 of 100 take no longer */
p99: number | string;
};
/** Passes in real time, at most 24h, or on the tenant’s clock (default: real) */
time?: "real" | "virtual";
};
/** Sends the body in so many chunks, with an interval before each but the first */
dribble?: {
/** Splits the body into this many chunks, as equal as can be */
chunks: number;
/** Interval before each chunk but the first */
interval: number | string | {
/** Always so long */
fixed?: number | string;
/** Between the two */
uniform?: readonly (number | string)[];
/** Half of them up to the median, 99 of 100 up to p99 */
lognormal?: {
/** Half of them take no longer */
median: number | string;
/** 99 of 100 take no longer */
p99: number | string;
};
};
};
/** Fails or delays the job that the request queues */
job?: "fail" | {
/** Delays it on the tenant’s clock, in place of the usual delay */
delay: number | string;
};
} | readonly (number | "CONNECTION_RESET_BY_PEER" | "EMPTY_RESPONSE" | "MALFORMED_RESPONSE_CHUNK" | "RANDOM_DATA_THEN_CLOSE" | "ok" | string | {
/** before: the service does nothing; after: it does its work, and the client does not learn of it (default: before) */
phase?: "before" | "after";
/** Says how much of a response goes out */
respond?: "full" | "status" | "none" | "headers" | "partial" | "bad-chunk" | "garbage";
/** Status of the response (default: the service’s own) */
status?: number;
/** Body of that response: a text as it is, anything else as JSON (default: the service’s error body) */
body?: unknown;
/** Headers of that response: {"Retry-After": "1"} */
headers?: Readonly<Record<string, string>>;
/** Sends this many bytes of the body, or of garbage */
bytes?: number;
/** Ends the connection: normal (as usual), close (a clean FIN), reset (a TCP RST), hang (left open and silent). fin and rst are read as close and reset */
end?: "normal" | "close" | "reset" | "hang" | "fin" | "rst";
/** Delays the work in phase before, the response in phase after; a bare number is in milliseconds */
delay?: number | string | {
/** Always so long */
fixed?: number | string;
/** Between the two */
uniform?: readonly (number | string)[];
/** Half of them up to the median, 99 of 100 up to p99 */
lognormal?: {
/** Half of them take no longer */
median: number | string;
/** 99 of 100 take no longer */
p99: number | string;
};
/** Passes in real time, at most 24h, or on the tenant’s clock (default: real) */
time?: "real" | "virtual";
};
/** Sends the body in so many chunks, with an interval before each but the first */
dribble?: {
/** Splits the body into this many chunks, as equal as can be */
chunks: number;
/** Interval before each chunk but the first */
interval: number | string | {
/** Always so long */
fixed?: number | string;
/** Between the two */
uniform?: readonly (number | string)[];
/** Half of them up to the median, 99 of 100 up to p99 */
lognormal?: {
/** Half of them take no longer */
median: number | string;
/** 99 of 100 take no longer */
p99: number | string;
};
};
};
/** Fails or delays the job that the request queues */
job?: "fail" | {
/** Delays it on the tenant’s clock, in place of the usual delay */
delay: number | string;
};
})[];
/** Fires this many times (default: once for a sequence, otherwise unlimited) */
times?: number;
/** Lets this many matching requests pass first (default: 0) */
skip?: number;
/** Selects matching requests by their number, counted from 1 */
nth?: number | readonly number[];
/** Probability that it fires, sampled from seed, tenant, operation and attempt (default: 1) */
probability?: number;
/** Begins its window on the tenant’s clock (default: always) */
from?: string;
/** Ends its window on the tenant’s clock; the first moment after it (default: never) */
until?: string;
/** true: the verdict does not become INCONCLUSIVE if it never fires (default: false) */
optional?: boolean;
/** Selects operations by their number among those that match, counted from 1: repeats of a request count once */
operation?: number | readonly number[];
/** Selects attempts of an operation by their number, counted from 1 */
attempt?: number | readonly number[];
};

/** A rule of the scenario; a rule that never fired is INCONCLUSIVE */
export type RuleCheck = {
id: string;
description: string | null;
/** Counts the requests that it matches */
matched: number;
fired: number;
verdict: "PASS" | "FAIL" | "INCONCLUSIVE";
reason: string;
};

export type Scenario = {
/** Path or URL of this schema, for editors */
'$schema'?: string;
/** Name in banners and reports */
name?: string;
/** Says what goes wrong, and what a client should do about it */
description?: string;
/** Fixture file, folder of them, or built-in fixture: default, empty */
fixtures?: string;
/** Keep points itself (standard), or follow an external point master (point-follower) */
mode?: "standard" | "point-follower";
/** Freeze the clock at this moment */
now?: string;
/** Seed of ids and of chance */
seed?: number;
/** Delay of queued work before it is executed, as 15m */
queueDelay?: number | string;
/** Interval between two batches that import files, on the clock of the tenant */
importEvery?: number | string;
/** Treatment of unknown fields of a request: ignore, warn or strict */
fieldValidation?: "ignore" | "warn" | "strict";
/** Variants of assumptions, as A-24=twice or {"A-24":"twice"} */
assumptions?: Readonly<Record<string, string>>;
/** Fault rules; the first matching rule that is still active wins */
rules?: readonly Rule[];
/** Faults of webhook deliveries; the first matching rule that is still active wins */
webhooks?: readonly WebhookRule[];
/** Faults of the point master that runs with the simulator; the first matching rule that is still active wins */
pointMaster?: readonly PointMasterRule[];
/** Faults of the import of files; the first matching rule that is still active wins */
imports?: readonly ImportRule[];
/** Holds what the client declares in addition to the specification */
policy?: Policy;
/** Requests and state that are expected at the end */
expectations?: readonly Expectation[];
/** Steps that loyalty-sim run plays one after another */
steps?: readonly Step[];
};

export type Step = {
/** Name in the output and in reports */
name?: string;
/** Sends a request: "GET /api/v3/contacts/count", or method, path, body */
request?: string | {
/** Method of the request (default: GET) */
method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
/** Path after the base URL of the tenant: /api/v3/receipts */
path: string;
/** Query parameters by name */
query?: Readonly<Record<string, string | number | boolean>>;
/** Headers by name, in addition to those of every request */
headers?: Readonly<Record<string, string>>;
/** Body: a text is sent unchanged, any other value as JSON */
body?: unknown;
};
/** Expected response to request */
expect?: {
/** Expected status: 200, 5xx, or a list of these (default: any below 400) */
status?: number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | readonly (number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx")[];
/** Expected headers by name, each a value or a test */
headers?: Readonly<Record<string, unknown>>;
/** Expected body: the value, or fields by JSON path */
body?: unknown;
/** No complete response: reset and closed before the status, truncated after it, invalid is not HTTP, timeout is none within `within` */
networkError?: "any" | "reset" | "closed" | "truncated" | "invalid" | "timeout" | "ECONNRESET";
/** Longest time until the response is complete: 2s (default: 30s) */
within?: number | string;
};
/** Stores values of the response under names, by JSON path: {"contactId": "id"} */
capture?: Readonly<Record<string, string>>;
/** Controls the clock: {"advance": "30d"} */
clock?: {
/** Advances the clock: 15m, 30d */
advance?: string;
/** Sets the clock to this timestamp */
set?: string;
/** Freezes the clock */
freeze?: true;
/** Lets the clock run again */
resume?: true;
};
/** Triggers an event inside the service, as POST /__admin/trigger does */
trigger?: {
/** Name of the event, as adjustPoints */
event: "adjustPoints" | "convertPoints" | "switchPendingPoints" | "assignChallenge" | "assignPromotion" | "syncBalances";
};
/** Puts a file of receipts into the import folder, as POST /__admin/imports does */
file?: {
/** Name of the file, as 20260301120000_1_transactions.xml */
name: string;
/** Text of the file */
content: string;
};
/** Adds a fault rule in front of all others */
fault?: Rule;
/** Removes the rules that steps added, or one of them */
clearFaults?: true | string;
/** Controls the queue: {"hold": true} */
queue?: {
/** Holds all jobs */
hold?: true;
/** Releases held jobs */
release?: true;
/** Executes the next job now, or that many */
step?: true | number;
/** Executes all jobs now */
drain?: true;
/** Lets the next job fail, or the one with this id */
fail?: true | string;
};
/** Waits for requests of the system under test */
waitFor?: {
/** Requests to wait for */
request: ExpectedRequest;
/** Waits for this many requests (default: 1) */
atLeast?: number;
/** Longest wait (default: 30s) */
within?: number | string;
};
/** Checks an expectation now */
check?: Expectation;
/** Prints a text */
note?: string;
/** Resets the tenant, or the scopes named */
reset?: true | readonly ("state" | "journal" | "faults" | "clock" | "queue" | "webhooks")[];
/** Stores the state under this name */
snapshot?: string;
/** Restores the state stored under this name */
restore?: string;
};

export type Tenant = {
name: string;
now: string;
frozen: boolean;
/** Keep points itself (standard), or follow an external point master (point-follower) */
mode: "standard" | "point-follower";
/** Seed of ids and of chance */
seed: number;
/** Delay of queued work before it is executed, as 15m (here in ms) */
queueDelay: number;
/** Interval between two batches that import files, on the clock of the tenant (here in ms) */
importEvery: number;
/** Treatment of unknown fields of a request: ignore, warn or strict */
fieldValidation: "ignore" | "warn" | "strict";
/** Variants of assumptions, as A-24=twice or {"A-24":"twice"} */
assumptions: Readonly<Record<string, string>>;
/** URL of its webhooks, with secrets hidden */
webhookUrl: string | null;
webhookEvents: readonly string[];
pointMasterUrl: string | null;
/** Counts the requests in the journal */
exchanges: number;
queue: {
held: boolean;
jobs: number;
};
/** Counts the rows by table */
rows: Readonly<Record<string, number>>;
/** Sums up what happened in it, if that was requested */
activity?: {
/** Counts the requests in the journal that a fault hit */
faulted: number;
/** Moment of its last request, on the tenant's clock */
lastRequest: string | null;
/** Real time since its last request, in ms */
idle: number | null;
};
};

/** Requests as columns of numbers, to be drawn */
export type Timeline = {
/** The machine's time at `startedAt` 0 */
epoch: string;
/** Send it as `after` to get the requests that are completed later */
cursor: number;
/** Counts the requests that the journal dropped to make room */
evicted: number;
/** Counts the older matches that are left out: a response holds 100000 */
omitted: number;
/** Ids of endpoints, to which `endpoint` points */
endpoints: readonly string[];
/** User agents and keys, to which `client` points */
clients: readonly string[];
outcomes: readonly ("in-flight" | "ok" | "rejected" | "server-error" | "no-response")[];
phases: readonly ("none" | "before" | "after")[];
/** One list for each field, all of the same length */
requests: {
/** Counts a tenant's requests from 1 */
number: readonly number[];
/** Real time in ms since the simulator's start */
startedAt: readonly number[];
/** Real time until the response; -1 while it is in flight */
ms: readonly number[];
/** Moment on the tenant's clock, in ms since 1970 */
at: readonly number[];
/** Index in `endpoints`; -1 if no endpoint matched */
endpoint: readonly number[];
/** Index in `clients` */
client: readonly number[];
/** Index in `outcomes`: what the client received */
outcome: readonly number[];
/** Index in `phases`: when a fault hit it */
phase: readonly number[];
/** Counts the effects */
effects: readonly number[];
/** Counts the warnings */
warnings: readonly number[];
};
/** The last 2000 attempts to deliver a webhook */
webhooks: readonly {
delivery: string;
eventType: string;
exchange: string | null;
/** Moment on the tenant's clock, in ms since 1970 */
at: number;
status: number | null;
fault: string | null;
}[];
};

export type ValueMatcher = {
/** A regular expression in RE2 syntax that is found in the value, as a text */
matches?: string;
/** A text that is in the value */
contains?: string;
/** Values, one of which it is */
oneOf?: readonly unknown[];
/** true: it is there; false: it is not */
exists?: boolean;
/** The least number that it is */
atLeast?: number;
/** The most */
atMost?: number;
};

export type Verdict = {
verdict: "PASS" | "FAIL" | "INCONCLUSIVE";
/** A line for each of the first 20 things that made it so; how many there are, when it passed */
reason: string;
checks: readonly Check[];
rules: readonly RuleCheck[];
/** Lists what the client meant to do, and how it retried */
operations: readonly Operation[];
/** The warnings, by their codes; they fail only where that is declared */
warnings: readonly WarningCount[];
/** Counts the requests that the journal holds */
requests: number;
/** Counts the requests that it dropped to make room */
evicted: number;
};

export type VerdictFinding = {
/** R1 to R16 */
rule: string;
title: string;
/** fail: the verdict is FAIL; inconclusive: it is INCONCLUSIVE; note: it stays as it is */
level: "fail" | "inconclusive" | "note";
message: string;
basis: Basis;
advice: string;
requests: readonly string[];
};

/** Warnings of one code in the responses and in the jobs behind them */
export type WarningCount = {
code: string;
count: number;
/** The first of them */
message: string;
/** Ids of the first requests, at most 3 */
requests: readonly string[];
};

/** An event that is sent to the webhook, with its attempts */
export type WebhookDelivery = {
id: string;
/** Counts a tenant's deliveries from 1 */
number: number;
eventType: string;
/** missed: there was no webhook to send it to */
status: "pending" | "delivered" | "failed" | "missed";
createdAt: string;
/** Says when the next attempt is due; null if there is none */
dueAt: string | null;
/** The request that caused it */
exchange: string | null;
attempts: readonly {
/** On the tenant's clock */
at: string;
/** Real time until the response, or until the attempt failed */
ms: number;
/** null if there was no response */
status: number | null;
/** Says why the attempt failed */
error: string | null;
/** The fault that was injected */
fault: "drop" | "duplicate" | "delay" | "reorder" | "tamper" | "wrong-key" | "rotated-key" | null;
/** The rule of the fault */
rule: string | null;
}[];
/** The payload before encryption */
payload: Readonly<Record<string, unknown>>;
/** The body that is sent; null if there is no webhook to send it to */
raw: string | null;
};

export type WebhookRule = {
/** Names it in responses and reports (default: numbered) */
id?: string;
/** For whoever reads the file */
description?: string;
/** Names the webhooks that are meant (default: all). Every attempt counts */
match?: {
/** Type of the webhook’s event, as AddPoints */
eventType?: "loyalty.addPoints" | "contact.created" | "contact.updated" | "contact.consent.changed" | "contact.acceptsEmail.changed" | "contact.acceptsPostal.changed" | "contact.acceptsSms.changed" | "point.balance.updated" | "reward.voucher.created" | "promotion.multichannel.assigned";
/** Fields of the payload by JSON path, each with a value or a test of it */
payload?: Readonly<Record<string, unknown>>;
};
/** Says what goes wrong: one of drop, duplicate, reorder, tamper, wrong-key, or {"delay": "10s"}, or {"rotated-key": "<32 characters>"}, or a list of these */
fault: "drop" | "duplicate" | "reorder" | "tamper" | "wrong-key" | {
/** Sends it so much later on the tenant’s clock */
delay?: number | string;
/** Encrypts payloads with this key instead */
'rotated-key'?: string;
} | readonly ("drop" | "duplicate" | "reorder" | "tamper" | "wrong-key" | {
/** Sends it so much later on the tenant’s clock */
delay?: number | string;
/** Encrypts payloads with this key instead */
'rotated-key'?: string;
})[];
/** Fires this many times (default: once for a sequence, otherwise unlimited) */
times?: number;
/** Lets this many matching requests pass first (default: 0) */
skip?: number;
/** Selects matching requests by their number, counted from 1 */
nth?: number | readonly number[];
/** Probability that it fires, sampled from seed, tenant, operation and attempt (default: 1) */
probability?: number;
/** Begins its window on the tenant’s clock (default: always) */
from?: string;
/** Ends its window on the tenant’s clock; the first moment after it (default: never) */
until?: string;
/** true: the verdict does not become INCONCLUSIVE if it never fires (default: false) */
optional?: boolean;
};

/** Holds the parameters, body, response and error codes of each request to the control API. */
export interface ControlEndpoints {
/** Responds as soon as the simulator can be called */
'GET /health': {
response: {
status: "ok";
/** The journals of all tenants together, with the earlier states that are kept for their requests */
journals: {
/** Present size */
bytes: number;
/** Part of it that the states before and after requests take */
historyBytes: number;
/** Largest size, which totalJournalBytes sets */
maxBytes: number;
/** Counts the requests that were dropped to make room */
evicted: number;
};
};
errorCode: 'Unauthorized' | 'Forbidden' | 'InternalError';
};
/** Shows the name and version of the program, and of Node */
'GET /version': {
response: {
name: string;
version: string;
node: string;
};
errorCode: 'Unauthorized' | 'Forbidden' | 'InternalError';
};
/** Lists what the specification leaves open, how the simulator reads it, and which requests rested on it */
'GET /assumptions': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
assumptions: readonly {
id: string;
topic: string;
default: string;
variants: Readonly<Record<string, string>>;
evidence: readonly string[];
note: string | null;
/** "default" or the name of a variant */
inForce: string;
/** Counts the requests in the journal that rested on it */
exchanges: number;
lastExchange: string | null;
}[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Lists the e-mails and text messages that orders caused, the earliest first */
'GET /outbox': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** Only those to this contact */
contactId?: string;
/** Only those of this order */
orderNumber?: string;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
};
response: {
/** Counts the matches on all pages */
count: number;
/** The newest last */
items: readonly Communication[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Describes this service and its control API as an OpenAPI 3.1 document */
'GET /openapi.json': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
openapi: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Returns the JSON schema of scenario files, for editors */
'GET /schema/scenario.json': {
response: {
title: string;
};
errorCode: 'Unauthorized' | 'Forbidden' | 'InternalError';
};
/** Lists all tenants, how they are set up and what they hold */
'GET /tenants': {
query?: {
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
/** true: sums up what happened in each tenant (default: false) */
activity?: boolean;
};
response: {
/** Counts the tenants on all pages */
count: number;
/** Ends with the newest */
tenants: readonly Tenant[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'InternalError';
};
/** Creates a tenant, set up like the simulator except for the options given, or branches one from an earlier request */
'POST /tenants': {
body: {
/** Name of the tenant */
name: string;
/** Fixture file, folder of them, or built-in fixture: default, empty */
fixtures?: string;
/** Keep points itself (standard), or follow an external point master (point-follower) */
mode?: "standard" | "point-follower";
/** Freeze the clock at this moment */
now?: string;
/** Seed of ids and of chance */
seed?: number;
/** Delay of queued work before it is executed, as 15m */
queueDelay?: number | string;
/** Interval between two batches that import files, on the clock of the tenant */
importEvery?: number | string;
/** Treatment of unknown fields of a request: ignore, warn or strict */
fieldValidation?: "ignore" | "warn" | "strict";
/** Variants of assumptions, as A-24=twice or {"A-24":"twice"} */
assumptions?: Readonly<Record<string, string>>;
/** Address that point adjustments are sent to in point-follower mode, and the events of webhookEvents */
webhookUrl?: string;
/** Key of 32 characters that encrypts the payloads of webhooks */
webhookKey?: string;
/** Secret that webhooks are signed with */
webhookSecret?: string;
/** Kind of event to send as well: contact.created, contact.updated, contact.consent.changed, contact.acceptsEmail.changed, contact.acceptsPostal.changed, contact.acceptsSms.changed, point.balance.updated, reward.voucher.created, promotion.multichannel.assigned */
webhookEvents?: readonly string[];
/** Address of the point master, which serves a contact's history at <url>/fetchPointHistory */
pointMasterUrl?: string;
/** The scenario that it follows: a scenario, its file, or the name of a built-in scenario */
scenario?: string | Scenario;
/** Starts from state, clock and queue of a tenant as they were at a request, and set up as that tenant */
branch?: {
/** The tenant of the request (default: "default") */
tenant?: string;
/** The id of a request in its journal */
request: string;
/** Right before the work of the request was done, or right after */
side?: "before" | "after";
};
};
response: Tenant;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Shows a tenant, how it is set up and what it holds */
'GET /tenants/{name}': {
params: {
name: string;
};
response: Tenant;
errorCode: 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Deletes a tenant with everything that it holds */
'DELETE /tenants/{name}': {
params: {
name: string;
};
response: {
deleted: string;
};
errorCode: 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Resets a tenant to its start, completely or by scope, atomically */
'POST /reset': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body?: {
/** Parts to reset (default: all) */
scopes?: readonly ("state" | "journal" | "faults" | "clock" | "queue" | "webhooks")[];
};
response: {
tenant: string;
scopes: readonly ("state" | "journal" | "faults" | "clock" | "queue" | "webhooks")[];
notes: readonly string[];
};
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Lists completed requests, all or those that match a filter; `wait` waits for them */
'GET /requests': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of an endpoint, such as createContact */
endpoint?: string;
/** A method, in any case */
method?: string;
/** A path, with {name} for one part of it and * for any text */
path?: string;
/** A status such as 404, or a class such as 4xx; none: the client received no response */
status?: string;
/** Words that all occur, in any case, in id, address, endpoint, rule, warnings, bodies, or name or keys of its contact */
search?: string;
/** Text in the request's body */
contains?: string;
/** true: with warnings; false: without */
warnings?: boolean;
/** The id of a rule: requests hit by it; any: requests with a fault; none: requests without a fault */
fault?: string;
/** The id or the number of a request: requests after it */
since?: string;
/** The id or the number of a request: requests up to it */
until?: string;
/** include: those in flight as well; only: those alone (default: completed requests) */
inFlight?: "include" | "only";
/** The cursor of an earlier response: requests that were completed since, in that order */
after?: number;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
/** Returns this many of the last requests, instead of offset and limit */
last?: number;
/** Puts these first, and counts offset and limit from them (default: oldest) */
order?: "oldest" | "newest";
/** Responds when enough requests match, or after this much real time: 5s, at most 60s */
wait?: string;
/** Waits for this many (default: 1) */
atLeast?: number;
};
response: {
/** Counts the matches on all pages */
count: number;
/** True if at least `atLeast` match */
complete: boolean;
/** Counts the requests that the journal dropped to make room */
evicted: number;
/** Send it as `after` to get the requests that are completed later */
cursor: number;
/** The newest last, unless `order` says otherwise */
items: readonly ListedExchange[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Clears the journal */
'DELETE /requests': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
cleared: number;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Lists requests that match no endpoint, with the nearest endpoint */
'GET /requests/unmatched': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
};
response: {
count: number;
items: readonly ({
id: string;
/** Counts a tenant's requests from 1 */
number: number;
/** On the tenant's clock */
at: string;
method: string;
path: string;
query: string;
/** null if no endpoint matched */
endpoint: string | null;
/** The status that the client received; null if it received none */
status: number | null;
/** Status of the service’s response; null when a fault came before it */
responseStatus: number | null;
end: "normal" | "close" | "reset" | "hang" | "client-aborted" | null;
/** Real time until the response */
ms: number | null;
warnings: readonly {
code: string;
message: string;
}[];
/** The fault that hit it */
fault: {
rule: string;
/** Counts the times that the rule had fired, this one included */
hit: number;
/** before: the service had done nothing; after: it had done its work */
phase: "before" | "after";
} | null;
assumptions: readonly string[];
/** Counts its effects */
effects: number;
nearest: string | null;
})[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Exports completed requests as HAR 1.2, for developer tools, proxies and load generators */
'GET /requests/har': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of an endpoint, such as createContact */
endpoint?: string;
/** A method, in any case */
method?: string;
/** A path, with {name} for one part of it and * for any text */
path?: string;
/** A status such as 404, or a class such as 4xx; none: the client received no response */
status?: string;
/** Words that all occur, in any case, in id, address, endpoint, rule, warnings, bodies, or name or keys of its contact */
search?: string;
/** Text in the request's body */
contains?: string;
/** true: with warnings; false: without */
warnings?: boolean;
/** The id of a rule: requests hit by it; any: requests with a fault; none: requests without a fault */
fault?: string;
/** The id or the number of a request: requests after it */
since?: string;
/** The id or the number of a request: requests up to it */
until?: string;
/** include: those in flight as well; only: those alone (default: completed requests) */
inFlight?: "include" | "only";
/** The cursor of an earlier response: requests that were completed since, in that order */
after?: number;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
};
response: Har;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Shows a request in full: request, response, delivered response, effects and assumptions */
'GET /requests/{id}': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: Exchange;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Writes a request of the journal as a curl line, quoted for each shell */
'GET /requests/{id}/curl': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
/** For bash, zsh and sh */
posix: string | null;
powershell: string | null;
/** For cmd.exe */
cmd: string | null;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Sends a request of the journal again, to its tenant or to another; the verdict leaves it out */
'POST /requests/{id}/replay': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body?: {
/** The tenant that it is sent to (default: the one that it is of) */
tenant?: string;
/** same: another attempt of the same operation; new: another operation, with a key of its own */
key?: "same" | "new";
/** The connection is given up after this much real time (default: 5s) */
within?: number | string;
};
response: ExchangeSummary;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Writes a scenario file from a request: its fault, or another one, as a rule, and the request as steps */
'POST /requests/{id}/scenario': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body?: {
/** The fault to inject (default: the one that hit the request, if any) */
fault?: number | "CONNECTION_RESET_BY_PEER" | "EMPTY_RESPONSE" | "MALFORMED_RESPONSE_CHUNK" | "RANDOM_DATA_THEN_CLOSE" | "ok" | string | {
/** before: the service does nothing; after: it does its work, and the client does not learn of it (default: before) */
phase?: "before" | "after";
/** Says how much of a response goes out */
respond?: "full" | "status" | "none" | "headers" | "partial" | "bad-chunk" | "garbage";
/** Status of the response (default: the service’s own) */
status?: number;
/** Body of that response: a text as it is, anything else as JSON (default: the service’s error body) */
body?: unknown;
/** Headers of that response: {"Retry-After": "1"} */
headers?: Readonly<Record<string, string>>;
/** Sends this many bytes of the body, or of garbage */
bytes?: number;
/** Ends the connection: normal (as usual), close (a clean FIN), reset (a TCP RST), hang (left open and silent). fin and rst are read as close and reset */
end?: "normal" | "close" | "reset" | "hang" | "fin" | "rst";
/** Delays the work in phase before, the response in phase after; a bare number is in milliseconds */
delay?: number | string | {
/** Always so long */
fixed?: number | string;
/** Between the two */
uniform?: readonly (number | string)[];
/** Half of them up to the median, 99 of 100 up to p99 */
lognormal?: {
/** Half of them take no longer */
median: number | string;
/** 99 of 100 take no longer */
p99: number | string;
};
/** Passes in real time, at most 24h, or on the tenant’s clock (default: real) */
time?: "real" | "virtual";
};
/** Sends the body in so many chunks, with an interval before each but the first */
dribble?: {
/** Splits the body into this many chunks, as equal as can be */
chunks: number;
/** Interval before each chunk but the first */
interval: number | string | {
/** Always so long */
fixed?: number | string;
/** Between the two */
uniform?: readonly (number | string)[];
/** Half of them up to the median, 99 of 100 up to p99 */
lognormal?: {
/** Half of them take no longer */
median: number | string;
/** 99 of 100 take no longer */
p99: number | string;
};
};
};
/** Fails or delays the job that the request queues */
job?: "fail" | {
/** Delays it on the tenant’s clock, in place of the usual delay */
delay: number | string;
};
};
};
response: {
/** A name for the file */
file: string;
/** The file: its rule for `exec` and `start`, its steps for `run` */
text: string;
/** The rule as `POST /__admin/faults` takes it; null without a fault */
rule: Readonly<Record<string, unknown>> | null;
};
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Returns when requests began and ended, as columns of numbers, and the attempts to deliver webhooks */
'GET /timeline': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of an endpoint, such as createContact */
endpoint?: string;
/** A method, in any case */
method?: string;
/** A path, with {name} for one part of it and * for any text */
path?: string;
/** A status such as 404, or a class such as 4xx; none: the client received no response */
status?: string;
/** Words that all occur, in any case, in id, address, endpoint, rule, warnings, bodies, or name or keys of its contact */
search?: string;
/** Text in the request's body */
contains?: string;
/** true: with warnings; false: without */
warnings?: boolean;
/** The id of a rule: requests hit by it; any: requests with a fault; none: requests without a fault */
fault?: string;
/** The id or the number of a request: requests after it */
since?: string;
/** The id or the number of a request: requests up to it */
until?: string;
/** include: those in flight as well; only: those alone (default: completed requests) */
inFlight?: "include" | "only";
/** The cursor of an earlier response: requests that were completed since, in that order */
after?: number;
};
response: Timeline;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Streams events while they happen (server-sent events), with the data that the other endpoints return */
'GET /events': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of an event: starts with the requests that were completed since, as Last-Event-ID does */
after?: number;
/** Counts the events of requests, rules, webhooks and the queue within this much real time in one event */
combine?: string;
/** Ends after this much real time: 30s, at most 60s (default: never) */
for?: string;
};
response: Response;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Shows a tenant's clock, and whether it is frozen */
'GET /clock': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
now: string;
frozen: boolean;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Freezes, sets, advances or resumes the clock; responds when all jobs due by then are executed and webhooks attempted */
'POST /clock': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: {
/** Stops the clock */
freeze?: true;
/** Sets the clock to this moment, and executes the jobs that fall due until then. Going back executes none, and undoes nothing */
set?: string;
/** Lets this much time pass, and executes the jobs that fall due */
advance?: string;
/** Lets the clock run on from where it stands */
resume?: true;
};
response: {
now: string;
frozen: boolean;
executed: readonly ExecutedJob[];
/** Says what a clock that was set back does not undo, and whether some attempts to deliver webhooks are not listed */
warnings: readonly {
code: string;
message: string;
}[];
};
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Lists queued jobs in the order in which they will be executed, then failed jobs */
'GET /queue': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
};
response: {
held: boolean;
queued: number;
failed: number;
jobs: readonly Job[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Holds or releases the queue, executes jobs now, or lets one fail */
'POST /queue': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: {
/** Executes nothing until a step, a drain or a release */
hold?: true;
/** Executes jobs when they are due again; jobs that are due by now are executed at once */
release?: true;
/** Executes the next job or jobs, due or not */
step?: true | number;
/** Executes all jobs, due or not, and the jobs that they queue */
drain?: true;
/** Lets a job fail without executing it */
fail?: true | string;
};
response: {
held: boolean;
queued: number;
failed: number;
executed: readonly ExecutedJob[];
};
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Lists a tenant's snapshots in the order in which they were taken */
'GET /snapshots': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
snapshots: readonly {
name: string;
takenAt: string;
}[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Takes a snapshot of state, queue and clock; replaces a snapshot of that name */
'POST /snapshots/{name}': {
params: {
name: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
name: string;
takenAt: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'Conflict' | 'InternalError';
};
/** Deletes a snapshot */
'DELETE /snapshots/{name}': {
params: {
name: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Restores state, queue and clock as they were when the snapshot was taken */
'POST /snapshots/{name}/restore': {
params: {
name: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
restored: string;
now: string;
frozen: boolean;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Compares two snapshots, the seed, the current state or that after a request, row by row, field by field */
'GET /snapshots/diff': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** A snapshot, "seed", "current", or "request:<id>" for the state right after a request */
from?: string;
/** A snapshot, "seed", "current", or "request:<id>" for the state right after a request */
to?: string;
/** Lists this many effects; all of them are counted */
limit?: number;
};
response: {
from: string;
to: string;
counts: Readonly<Record<string, {
created: number;
updated: number;
deleted: number;
}>>;
effects: readonly Effect[];
truncated: boolean;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Triggers an event inside the service that no request to its API can: adjusts points, assigns a promotion */
'POST /trigger': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: {
event: "adjustPoints";
/** Contact that the event is about */
contactId: string;
/** Definition of points */
definitionId: number | string;
/** Adds this many points; a negative number takes them away */
amount: number;
/** Text of the transaction */
description?: string | null;
validFrom?: string | null;
/** Origin of the adjustment: automation or manual */
by?: "automation" | "manual";
/** Reason for the adjustment, for the point master */
reason?: string;
/** Id of the run of the automation, for the point master */
processId?: string;
/** Id of the automation that adjusts, for the point master */
workflowId?: string;
/** Name of the automation that adjusts, for the point master */
workflowName?: string;
/** Id of the person who adjusts by hand, for the point master */
userId?: string;
/** Name of the person who adjusts by hand, for the point master */
userName?: string;
} | {
event: "convertPoints";
/** Contact that the event is about */
contactId: string;
/** Definition of points */
definitionId: number | string;
} | {
event: "switchPendingPoints";
/** Definition of points */
definitionId: number | string;
/** Pending from now on */
active: boolean;
} | {
event: "assignChallenge";
/** Contact that the event is about */
contactId: string;
/** Definition of a challenge */
definitionId: string;
} | {
event: "assignPromotion";
/** Contact that the event is about */
contactId: string;
/** Promotion to assign */
promotionId: string;
} | {
event: "syncBalances";
};
response: {
event: string;
effects: readonly Effect[];
warnings: readonly {
code: string;
message: string;
}[];
/** Counts the balances that the point master sent, for syncBalances */
balances?: number;
};
errorCode: 'NewPointSystemNotActive' | 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'ContactNotFound' | 'PointDefinitionNotFound' | 'ChallengeDefinitionNotFound' | 'PromotionNotFound' | 'MultipleMatches' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Lists the ways to respond when a fault hits a request */
'GET /fault-kinds': {
response: {
kinds: readonly FaultKind[];
};
errorCode: 'Unauthorized' | 'Forbidden' | 'InternalError';
};
/** Lists the active rules in the order in which they are tried */
'GET /faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
rules: readonly ActiveRule[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Adds a rule before all others */
'POST /faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: Rule;
response: ActiveRule;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Deletes the rules added at run time, and releases the requests that a fault holds up; those of the scenario stay */
'DELETE /faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: number;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Deletes a rule that was added at run time */
'DELETE /faults/{id}': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Writes a scenario file from a rule, with a request that it hit or would hit as steps, otherwise an example */
'GET /faults/{id}/scenario': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
/** A name for the file */
file: string;
/** The file: its rule for `exec` and `start`, its steps for `run` */
text: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Shows the active scenario, and how often its rules have matched and fired */
'GET /scenario': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: ActiveScenario;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Replaces the scenario; one that sets the tenant up (mode, now, fixtures, …) creates it again, with its fixtures */
'PUT /scenario': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: string | Scenario;
response: ActiveScenario;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Clears the scenario; rules added at run time stay */
'DELETE /scenario': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: ActiveScenario;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Lists the built-in scenarios, which can be applied by name */
'GET /scenarios': {
response: {
scenarios: readonly {
name: string;
title: string;
description: string | null;
}[];
};
errorCode: 'Unauthorized' | 'Forbidden' | 'InternalError';
};
/** Lists webhook deliveries with all attempts; `wait` waits for them */
'GET /webhooks': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
eventType?: "loyalty.addPoints" | "contact.created" | "contact.updated" | "contact.consent.changed" | "contact.acceptsEmail.changed" | "contact.acceptsPostal.changed" | "contact.acceptsSms.changed" | "point.balance.updated" | "reward.voucher.created" | "promotion.multichannel.assigned";
status?: "pending" | "delivered" | "failed" | "missed";
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
/** Responds when enough were attempted or missed, or after this much real time: 5s */
wait?: string;
/** Waits for this many (default: 1) */
atLeast?: number;
};
response: {
/** delivered + failed + pending */
sent: number;
delivered: number;
failed: number;
pending: number;
/** Events without a webhook to send them to */
missed: number;
/** Counts the matches on all pages */
count: number;
/** True if at least `atLeast` were attempted or missed */
complete: boolean;
/** The newest last */
items: readonly WebhookDelivery[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Shows a delivery: its payload, the body as sent, and its attempts */
'GET /webhooks/{id}': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: WebhookDelivery;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Sends a webhook again at once, under the same id; responds when the attempt is over */
'POST /webhooks/{id}/redeliver': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: WebhookDelivery;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Judges the requests and their effects by the active scenario, and whether all its rules fired */
'GET /verdict': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** true: the client has ended, so that it does not still wait for its next attempt */
clientEnded?: "true" | "false";
/** Codes of warnings that fail the verdict, with commas between, or all */
failOnWarnings?: string;
/** The tenant in which the same work was done without faults: its state is what is expected */
reference?: string;
/** notable: leaves out operations of one attempt without findings (default: all) */
operations?: "all" | "notable";
/** text: the lines that loyalty-sim verify prints, without personal numbers and keys (default: json) */
as?: "json" | "text";
};
response: Verdict | string;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Judges requests and state by these expectations alone, or by the active scenario if none are sent */
'POST /verify': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** true: the client has ended; with expectations its retries and the active rules are judged as well */
clientEnded?: "true" | "false";
/** Codes of warnings that fail the verdict, with commas between, or all */
failOnWarnings?: string;
/** The tenant in which the same work was done without faults: its state is what is expected */
reference?: string;
/** notable: leaves out operations of one attempt without findings (default: all) */
operations?: "all" | "notable";
/** text: the lines that loyalty-sim verify prints, without personal numbers and keys (default: json) */
as?: "json" | "text";
/** Responds when everything is as expected, or after this much real time: 5s, at most 60s */
wait?: string;
};
body?: {
/** Text for the report */
description?: string;
/** Requests of this kind were received (default: at least one) */
request?: ExpectedRequest;
/** Exact number of such requests */
exactly?: number;
/** Smallest number of such requests */
atLeast?: number;
/** Largest number of such requests */
atMost?: number;
/** No such request was received */
never?: true;
/** These requests were received in this order; others may stand between them */
order?: readonly ExpectedRequest[];
/** No request was received but those that request, order or allow name, and none that no endpoint serves */
noUnexpectedRequests?: true;
/** Requests that noUnexpectedRequests accepts */
allow?: readonly ExpectedRequest[];
/** State of the service */
state?: ExpectedState;
/** Path of a GET request whose response is checked: /api/v3/contacts/count */
get?: string;
/** Expected status of the response to get (default: 200) */
status?: number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | readonly (number | "none" | "1xx" | "2xx" | "3xx" | "4xx" | "5xx")[];
/** Expected body of the response to get: the value, or fields by JSON path */
body?: unknown;
/** Several expectations at once */
expectations?: readonly Expectation[];
/** With expectations: judges the active rules as well */
everyRuleFired?: true;
};
response: Verdict | string;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Lists the batches that imported receipts from files: what each took, ignored and refused, and why */
'GET /imports': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
/** Responds when there are enough batches, or after this much real time: 5s */
wait?: string;
/** Waits for this many batches (default: 1) */
atLeast?: number;
};
response: {
/** Names the folder for files; null without `importFolder` */
folder: string | null;
/** Interval between two batches */
everyMs: number;
/** On the tenant's clock */
nextBatch: string | null;
/** Files that the last batch left alone, since they are not complete */
waiting: readonly {
name: string;
reason: string;
}[];
/** Counts the batches that took or refused a file, on all pages */
count: number;
/** The newest last */
items: readonly ImportBatch[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Puts a file of receipts into the import folder, for the next batch */
'POST /imports': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: {
/** Name of the file */
name: string;
/** Text of the file, as an exporter would upload it */
content: string;
};
response: {
name: string;
bytes: number;
nextBatch: string;
};
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Lists the active import rules in the order in which they are tried */
'GET /imports/faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
rules: readonly ActiveImportRule[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Adds an import rule before all others */
'POST /imports/faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: ImportRule;
response: ActiveImportRule;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Deletes the import rules added at run time; those of the scenario stay */
'DELETE /imports/faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: number;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Deletes an import rule that was added at run time */
'DELETE /imports/faults/{id}': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Finds contacts by parts of their name, e-mail, phone number or another key */
'GET /contacts': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of a request: as it was right after that request (default: as it is now) */
at?: string;
/** Skips this many items */
offset?: number;
/** Largest number of items */
limit?: number;
/** Words that must all occur in the name, the e-mail, the phone number or another key (default: all contacts) */
search?: string;
};
response: {
/** Counts the matches on all pages */
count: number;
/** In the order of their names */
items: readonly ContactSummary[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Shows all that the sim knows of a contact, by its id or its memberNumber, with its ids as integers too */
'GET /contacts/{id}/card': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of a request: as it was right after that request (default: as it is now) */
at?: string;
/** Shows this many items of each list, the latest first */
limit?: number;
};
response: ContactCard;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'ContactNotFound' | 'NotFound' | 'MultipleMatches' | 'Conflict' | 'InternalError';
};
/** Shows the points of a contact over time: active, pending and expiring, and the request that each change came of */
'GET /contacts/{id}/points': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
/** The id of a request: as it was right after that request (default: as it is now) */
at?: string;
/** Shows this many transactions of each account, the latest */
limit?: number;
};
response: ContactPoints;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'ContactNotFound' | 'NotFound' | 'MultipleMatches' | 'Conflict' | 'InternalError';
};
/** Judges the point master: whether the right balance followed every adjustment, once, and in time */
'GET /webhooks/report': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: PointMasterReport;
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Lists the active webhook rules in the order in which they are tried */
'GET /webhooks/faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
rules: readonly ActiveWebhookRule[];
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Adds a webhook rule before all others */
'POST /webhooks/faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
body: WebhookRule;
response: ActiveWebhookRule;
errorCode: 'ValidationError' | 'InvalidJson' | 'InvalidContentType' | 'Unauthorized' | 'Forbidden' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedContentEncoding' | 'InternalError';
};
/** Deletes the webhook rules added at run time; those of the scenario stay */
'DELETE /webhooks/faults': {
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: number;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'InternalError';
};
/** Deletes a webhook rule that was added at run time */
'DELETE /webhooks/faults/{id}': {
params: {
id: string;
};
query?: {
/** The tenant (default: "default") */
tenant?: string;
};
response: {
deleted: string;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'InternalError';
};
/** Shows the exploration that runs on this simulator, or the last one that did: each point, and what was found */
'GET /exploration': {
query?: {
/** Waits at most so long for the next change */
wait?: string;
/** The `change` that was read before, to wait for the next one */
after?: number;
};
response: {
/** Counts the changes */
change: number;
/** Null while none was begun */
exploration: LiveExploration | null;
};
errorCode: 'ValidationError' | 'Unauthorized' | 'Forbidden' | 'TooManyRequests' | 'InternalError';
};
}

/** Lists the paths that are about the whole simulator, and take no tenant. */
export const pathsWithoutTenant: readonly string[] = ['/health', '/version', '/schema/scenario.json', '/tenants', '/tenants/{name}', '/fault-kinds', '/scenarios', '/exploration'];

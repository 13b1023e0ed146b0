/** Names the evidence for an assumption: documented publicly, documented for v2, seen in clients, inferred, free choice, or specified. */
export type AssumptionEvidence = 'documented' | 'documented-v2' | 'client' | 'inferred' | 'choice' | 'spec';

export interface Assumption {
  readonly id: string;
  readonly topic: string;
  readonly default: string;
  readonly variants: Readonly<Record<string, string>>;
  readonly evidence: readonly AssumptionEvidence[];
  readonly note?: string;
}

export const assumptions = [
  {
    id: 'A-01',
    topic: 'authentication',
    default:
      'The key is read from the header `apikey`, also from `x-api-key`. Any key or none is accepted, unless ' +
      '`--api-key` is given; then another or missing key gets 401 `Unauthorized`. A key in another header, or none at ' +
      'all, is warned about.',
    variants: {},
    evidence: ['documented', 'client'],
  },
  {
    id: 'A-02',
    topic: 'error body',
    default:
      '`{errorCode, message, requestId}`, plus `messageDetails` (such as `multipleMatchesFound: [guid]`) and, ' +
      'for validation, `validationErrors: [{field, errorDescription}]`.',
    variants: {},
    evidence: ['client'],
  },
  {
    id: 'A-03',
    topic: '`Content-Type` missing or not JSON on a request with a body',
    default: '400 `InvalidContentType`; the message says what to send.',
    variants: {
      live: '500 `An error has occurred`, which is what the live service responds with',
      lenient: 'the body is parsed all the same, and warned about',
    },
    evidence: ['documented'],
  },
  {
    id: 'A-04',
    topic: '`User-Agent` missing',
    default: 'Accepted, and warned about.',
    variants: { required: '400' },
    evidence: ['documented', 'choice'],
    note: 'That the header is mandatory is documented; the effect of leaving it out is a free choice.',
  },
  {
    id: 'A-05',
    topic: 'rate limit',
    default: 'Off.',
    variants: {
      '50': 'more than 50 requests per second and key get 429, without `Retry-After`',
      '200': 'more than 200 requests per second and key get 429, without `Retry-After`',
    },
    evidence: ['documented'],
    note: 'Documented: stay under 50 requests per second; a client is stopped at 200.',
  },
  {
    id: 'A-06',
    topic: 'paging',
    default:
      '`offset` is 0 and `count` 100 when left out, and `count` is capped at 1000. The `count` in the response is ' +
      'the number of items in the page.',
    variants: { requested: 'the `count` in the response is the number that was requested' },
    evidence: ['documented-v2', 'choice'],
    note: 'The defaults are documented for v2; the cap is a free choice.',
  },
  {
    id: 'A-07',
    topic: 'GET /contacts/id parameters',
    default:
      'Takes one or several of `email`, `mobilePhone`, `socialSecurityNumber`, `customKey`, `memberNumber`, `externalId` ' +
      'and `any`, and optionally `contactType`. `customKey` is a memberNumber or an externalId. `any` tries ' +
      'e-mail, then personal number, then phone, then customKey, and stops at the first kind for which the ' +
      'value is well formed, even if nobody is found. Where several are given, all must fit.',
    variants: { one: 'exactly one; several get 400 `InvalidSearchQuery`' },
    evidence: ['documented'],
  },
  {
    id: 'A-08',
    topic: 'response of GET /contacts/id',
    default: 'The bare id as a JSON string.',
    variants: { object: '`{id}`' },
    evidence: ['client'],
    note: 'Every client seen reads it so.',
  },
  {
    id: 'A-09',
    topic: 'contact lookup refusals',
    default:
      '404 `ContactNotFound`; 400 `InvalidEmailAddress`, `InvalidPhoneNumber`, `InvalidSocialSecurityNumber`, ' +
      '`InvalidContactType`, or `InvalidSearchQuery` when no parameter is given; 409 ' +
      '`MultipleMatches` with the ids when two contact types share the key, or two contacts of a type whose `unique` does ' +
      'not hold it.',
    variants: {},
    evidence: ['documented'],
  },
  {
    id: 'A-10',
    topic: 'shape of a contact in responses',
    default: "Flat, as in the specification's table.",
    variants: {
      envelope: '`{id, attributes, meta: {contactType, createdOn, modifiedOn, …}, preferences, consents}`',
      both: 'the flat fields and the envelope together',
    },
    evidence: ['spec', 'documented-v2', 'client'],
    note: 'The flat shape is specified; the envelope is documented for v2 and seen in clients.',
  },
  {
    id: 'A-11',
    topic: 'further contact fields',
    default:
      'zipCode, city, careOf, birthDay, gender, language, store, createdInStore, registrationDate and others ' +
      'are accepted and kept, as configured per tenant. Any other name is unknown: ignored, and warned about.',
    variants: {},
    evidence: ['documented'],
  },
  {
    id: 'A-12',
    topic: 'POST /contacts body and query',
    default:
      'The body holds flat attributes, including contactType, preferences and consents. The query takes ' +
      '`source`, `storeExternalId` and `createAsUnapproved`.',
    variants: {},
    evidence: ['documented', 'client'],
  },
  {
    id: 'A-13',
    topic: 'default contact type',
    default:
      '`Member`. Contact types are fixtures, each with its key attribute, and their names are compared without ' +
      'case. An unknown type gets 400 `InvalidContactType`.',
    variants: {},
    evidence: ['documented'],
  },
  {
    id: 'A-14',
    topic: 'POST /contacts refusals',
    default:
      'A key that exists in that contact type gets 409 `ApprovedContactWithKeyExists`, with the ids in ' +
      '`messageDetails`. A malformed e-mail, phone (no country code) or personal number, or a missing required ' +
      'field, is a validation error.',
    variants: {},
    evidence: ['client'],
  },
  {
    id: 'A-15',
    topic: 'status of a validation error',
    default: '400 `ValidationError`.',
    variants: { '422': '422 `ValidationError`' },
    evidence: ['spec', 'client'],
    note: 'The specification knows only 400s; clients have seen 422 for contacts.',
  },
  {
    id: 'A-16',
    topic: 'PATCH status',
    default: '200.',
    variants: { '202': '202' },
    evidence: ['spec'],
    note: 'The specification names both.',
  },
  {
    id: 'A-17',
    topic: 'NoData',
    default: 'On `PATCH` and `POST /contacts/{contactId}`, an empty, non-object or unparsable body gets 400 `NoData`.',
    variants: {},
    evidence: ['spec', 'documented'],
  },
  {
    id: 'A-18',
    topic: 'POST /contacts/{contactId}',
    default: 'Sets consents; other attributes in the body are updated as by PATCH.',
    variants: {},
    evidence: ['documented-v2', 'client'],
  },
  {
    id: 'A-19',
    topic: 'contacts/bulk',
    default:
      'POST creates and PATCH updates; the body is an array of at most 4000 contacts, with query `contactType`. ' +
      'The response is 202 with the batch id as a JSON string, and `GET /contacts/bulk/status?batchId=` tells how ' +
      'it went.',
    variants: { object: '202 with `{batchId}`', upsert: 'POST changes a contact that exists, found by id or key' },
    evidence: ['documented', 'documented-v2'],
    note: 'POST refuses a contact that exists, which is warned about. The specification speaks of "contact changes".',
  },
  {
    id: 'A-20',
    topic: 'overview, consents and orders paths',
    default:
      '`/contactoverview`, `/consents` and `/orders` are served with and without `/api/v3`. The overview takes ' +
      '`contactId`, or `contactType` and one of the keys of A-07; anything else gets 400.',
    variants: {},
    evidence: ['documented'],
  },
  {
    id: 'A-21',
    topic: 'required receipt fields',
    default:
      'Required: contact.matchKey, contact.matchKeyType, uniqueReceiptId, createdDate, storeExternalId, ' +
      'currency, totalGrossPrice, paymentMethods (each with type, value) and items (each with type, quantity, ' +
      "grossPaidPrice, taxAmount, taxPercent, sku, articleNumber, articleName). A discount's value must not be " +
      'positive.',
    variants: { lenient: 'only contact and items are required' },
    evidence: ['documented-v2'],
  },
  {
    id: 'A-22',
    topic: 'items.type',
    default: 'PURCHASE, RETURN or ADJUSTMENT, compared without case, as is matchKeyType.',
    variants: {},
    evidence: ['documented-v2', 'client'],
  },
  {
    id: 'A-23',
    topic: 'signs of a return line',
    default:
      'On a return line quantity is negative, grossPaidPrice and taxAmount are positive; a pure return has a ' +
      'negative total and negative payments. Other signs are accepted with a warning.',
    variants: { refuse: 'other signs are refused' },
    evidence: ['documented', 'client'],
  },
  {
    id: 'A-24',
    topic: 'same uniqueReceiptId again',
    default: '202; the receipt is ignored, and warned about.',
    variants: { twice: 'counted again' },
    evidence: ['documented'],
  },
  {
    id: 'A-25',
    topic: "receipt's contact unknown",
    default: '202; the receipt is kept unmatched and shown as such.',
    variants: {},
    evidence: ['documented'],
  },
  {
    id: 'A-26',
    topic: 'when queued work becomes visible',
    default: 'At once after the response.',
    variants: {},
    evidence: ['documented'],
    note: '`--queue-delay` sets it; the live service works every 15 minutes by default.',
  },
  {
    id: 'A-27',
    topic: '202 bodies',
    default: '`{}`, where an endpoint has no other body.',
    variants: {},
    evidence: ['client'],
    note: 'Clients parse the body as JSON.',
  },
  {
    id: 'A-28',
    topic: 'transaction record',
    default:
      '`{id, transactionNumber, uniqueReceiptId, createdDate, storeExternalId, storeName, numberOfItems, ' +
      'netPriceSum, localNetPriceSum, localCurrency, groupCurrency, lineItems: [{id, type, sku, articleNumber, ' +
      'articleName, articleGroup, quantity, price, localPrice, isReturned}]}`, in the paging envelope. The `id` ' +
      'of a line is the `retailTransactionLineItemId` of its points.',
    variants: {},
    evidence: ['documented-v2', 'client'],
  },
  {
    id: 'A-29',
    topic: 'purchase history summary',
    default:
      'Windows roll back 12 and 24 months from the clock; amounts are in the group currency by ' +
      "exchangeRateToGroupCurrency (absent: the tenant's rate, else 1); returns reduce amounts and article " +
      'counts; frequency is the number of receipts in the window, or 0 where all are returns; average is amount ÷ these. ' +
      'lastUpdated is the moment the last receipt was processed. An unknown contact and a contact without receipts both ' +
      'get 404.',
    variants: {
      zeros: 'a known contact without receipts gets 200 with zeros, and the moment it was created as lastUpdated',
    },
    evidence: ['choice'],
  },
  {
    id: 'A-30',
    topic: 'orders',
    default:
      '202 with `{jobId, links}`; `GET /orders/jobs/{jobId}` tells how it went. Required: contact, orderNumber, ' +
      'orderStatus, paymentStatus, createdDate, storeId, currency, totalGrossPrice, items. Communications sent ' +
      'appear in an outbox of the tenant.',
    variants: {
      lenient: 'missing fields are accepted',
      sync: '200 with what `GET /orders/jobs/{jobId}` would tell; nothing is queued',
    },
    evidence: ['documented', 'documented-v2'],
    note: 'It goes against general rule 1, which does not list orders among the requests that only queue work.',
  },
  {
    id: 'A-31',
    topic: 'promotion assignment',
    default:
      'An array of `{id, promotionId, externalId, type, name, heading, description, imageUrl, link, expiresOn, ' +
      'redeemed, redeemedOn, redemptionChannels: [{type, valueType, value, localValues, instruction}]}`. The type of a ' +
      'channel is `POS`, `ECOM` or `OTHER`, that of the promotion is free text; valueType is `PERCENT`, `MONEY`, ' +
      '`EXTERNALOFFER`, `MANUAL` or `SWIPE`. The value of MONEY is `{amount, currency}`, of PERCENT an integer, of MANUAL ' +
      'and EXTERNALOFFER a text, of SWIPE null; localValues are `{currency, amount}`.',
    variants: {
      envelope: 'the same records under `items` in the paging envelope',
      numbers: 'a value is what the fixture has, whatever its kind',
    },
    evidence: ['documented', 'documented-v2'],
  },
  {
    id: 'A-32',
    topic: 'redeem: path id, body, response',
    default:
      "The path takes the `id` of the assignment (the receipt's couponId) or, with a contact named by query " +
      '`contactId` or when exactly one contact holds it, the id of the promotion. The body `{redemptionChannel}` is optional; the response is 200 with ' +
      'the assignment.',
    variants: { strict: 'assignment id and body are required, else 400 `NoData`' },
    evidence: ['documented'],
  },
  {
    id: 'A-33',
    topic: 'redeem refusals',
    default:
      '404 `PromotionNotFound`, `PromotionNotAssociatedWithContact`; 409 `PromotionAlreadyRedeemed`, ' +
      '`PromotionNotValidForRedemptionChannel`, `PromotionExpired`.',
    variants: { 'again-ok': 'a second redeem gets 200' },
    evidence: ['documented'],
  },
  {
    id: 'A-34',
    topic: 'challenge numbers',
    default:
      'Challenge status: Unknown 0, Completed 1, NotCompleted 2, Active 3. Definition status: All 0, Active 1, ' +
      'Draft 2, Scheduled 3, Ended 4. checkpointAssignOn: None 0, ReceiptTotal 1, ReceiptLineQuantity 2, ' +
      'ReceiptLineTotal 3.',
    variants: {},
    evidence: ['documented-v2', 'inferred'],
    note: 'The names are documented for v2; the numbers are inferred.',
  },
  {
    id: 'A-35',
    topic: 'completing a challenge',
    default:
      'When the completed checkpoints reach the required ones, isChallengeCompleted is true, status is ' +
      'Completed and the challenge is no longer active. Past its start plus expirationMonths it is NotCompleted ' +
      'and not active.',
    variants: {},
    evidence: ['choice'],
    note:
      'The end is reached at the very moment of start plus expirationMonths; with 0 months there is none. A ' +
      'completed challenge stays so. Checkpoints for a challenge that is not active are listed in notAccepted.',
  },
  {
    id: 'A-36',
    topic: 'checkpoint for a contact without that challenge',
    default: 'The block is listed in notAccepted.',
    variants: { assign: 'the challenge is assigned on the way' },
    evidence: ['choice'],
  },
  {
    id: 'A-37',
    topic: 'response to checkpoints when every block is accepted',
    default: 'The same object, with three empty arrays. A request takes at most 1000 rows.',
    variants: {},
    evidence: ['documented-v2', 'inferred'],
  },
  {
    id: 'A-38',
    topic: 'point account ids',
    default: 'GUIDs. Each account also has an integer id, accepted wherever an id is.',
    variants: { integer: 'responses carry the integer id' },
    evidence: ['spec', 'client'],
    note: 'The specification shows both; clients of v3 see GUIDs.',
  },
  {
    id: 'A-39',
    topic: 'GET /point-accounts',
    default: 'The paging envelope.',
    variants: { array: 'a bare array' },
    evidence: ['spec', 'client'],
    note: 'The envelope is specified; a bare array has been seen live.',
  },
  {
    id: 'A-40',
    topic: 'GET /point-accounts/{id} "also gives the transactions"',
    default:
      'The account has a `transactions` member holding the first page; ' +
      '`/point-accounts/transactions?accountId=` gives the list.',
    variants: { 'account-only': 'the account without `transactions`' },
    evidence: ['spec'],
    note: 'The specification is ambiguous here.',
  },
  {
    id: 'A-41',
    topic: 'response of POST /point-transactions',
    default: '201 with the transaction.',
    variants: { '202': '202 with `{}`' },
    evidence: ['spec', 'client'],
    note: 'The specification makes the request synchronous; clients have seen 202.',
  },
  {
    id: 'A-42',
    topic: 'same transactionId again',
    default: 'It gets the first response again, is applied once, and is warned about.',
    variants: { twice: 'applied again', conflict: '409' },
    evidence: ['choice'],
  },
  {
    id: 'A-43',
    topic: 'response of bulk point transactions',
    default:
      '202 with `{notAccepted, errorMessages, missingDefinitionIds, missingContactIds}`. Each row needs ' +
      '`source` and `description`, bad rows are skipped, and the header `Idempotency-Key` is remembered for 24 ' +
      'h, or until its job fails: then the same key counts as new.',
    variants: {},
    evidence: ['documented-v2'],
  },
  {
    id: 'A-44',
    topic: 'sort tokens',
    default:
      'sortBy is `transactionDate` (the default) or `createdOn`; sortOrder is `asc` or `desc` (the default), ' +
      'also `ascending` or `descending`, in any case. Others get 400.',
    variants: {},
    evidence: ['choice'],
  },
  {
    id: 'A-45',
    topic: 'response of balances, status words',
    default:
      '202 with `{id}`. The status words are `Queued`, `Processing`, `Completed`, `CompletedWithErrors` and ' +
      '`Failed`.',
    variants: { string: '202 with the id as a JSON string' },
    evidence: ['choice'],
  },
  {
    id: 'A-46',
    topic: 'an older balance (by `timeStamp`) arriving after a newer one',
    default: 'Applied in order of arrival, and warned about.',
    variants: { 'newest-wins': 'the balance with the newest `timeStamp` stands' },
    evidence: ['choice'],
  },
  {
    id: 'A-47',
    topic: 'balances outside point-follower mode',
    default: '400 `PointFollowerNotActive`.',
    variants: {},
    evidence: ['choice'],
  },
  {
    id: 'A-48',
    topic: 'webhook encryption',
    default:
      'AES-256-CBC with PKCS#7 padding, 16 random bytes of IV in front, base64url without padding. The key is a ' +
      '32-character string, taken as its UTF-8 bytes.',
    variants: { 'aes-256-gcm': 'AES-256-GCM instead', plain: 'the payload is an object, and not encrypted' },
    evidence: ['documented', 'client'],
    note: 'Encryption profiles are pluggable.',
  },
  {
    id: 'A-49',
    topic: 'webhook signature and delivery',
    default:
      'Standard Webhooks headers under the `svix-` and `webhook-` names: HMAC-SHA256 over `id.timestamp.body`, ' +
      'as `v1,base64`. A 2xx within 15 s is success; retries follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h ' +
      "and 10 h on the tenant's clock.",
    variants: { once: 'no retry', unsigned: 'no signature' },
    evidence: ['documented', 'inferred'],
  },
  {
    id: 'A-50',
    topic: 'webhook envelope',
    default: 'Also carries `isEncrypted`.',
    variants: {},
    evidence: ['documented'],
    note: 'Other kinds of events are off (default of `--webhook-events`); A-76 says what they hold.',
  },
  {
    id: 'A-51',
    topic: 'how points arise from purchases in standard mode',
    default:
      'Per point definition: points per unit of group currency on lines whose awardsPoints is not false, ' +
      'rounded down; days pending; expiry by age or by inactivity; a reward voucher at a threshold. Returns ' +
      'deduct what the line gave. Their transactionDate is the createdDate of the receipt, createdOn the moment ' +
      'it was processed.',
    variants: {},
    evidence: ['choice', 'spec'],
    note: 'The mechanism is a free choice; the description codes are from the specification.',
  },
  { id: 'A-52', topic: 'CORS', default: 'No CORS headers are sent.', variants: {}, evidence: ['documented'] },
  {
    id: 'A-53',
    topic: 'enum query values, ids',
    default:
      'Enum values in the query are compared without case. A malformed id in a path or query is treated as not found; in ' +
      'a body, a field of type GUID that holds none is a validation error, but an award block with one is listed in notAccepted.',
    variants: {},
    evidence: ['inferred', 'choice'],
  },
  {
    id: 'A-54',
    topic: 'personal numbers',
    default:
      'Swedish (10 or 12 digits, coordination numbers, checksum) and Finnish (with its new century signs, ' +
      'checksum).',
    variants: {},
    evidence: ['documented'],
  },
  {
    id: 'A-55',
    topic: 'a retailer whose new point system is not active',
    default:
      'No points arise at all: both endpoints that add transactions, the balances endpoint and adjustments get 400 ' +
      '`NewPointSystemNotActive`; purchases and used promotions give no points, and points become no vouchers. ' +
      'Points that are there can be read, and expire. In a fixture: `isPointSystemActive: false` of the retailer.',
    variants: { 'bulk-only': 'only POST /point-accounts/transactions is refused' },
    evidence: ['spec', 'choice'],
    note: 'The specification names the refusal for the bulk endpoint alone; without a point system there is nothing to add to.',
  },
  {
    id: 'A-56',
    topic: 'points of a receipt that comes late',
    default:
      'Days pending and expiry by age count from the createdDate of the receipt, as the customer was promised when ' +
      'buying: points may be active at once, or over at once, which is warned about. A createdDate to come counts as ' +
      'now. A return deducts from the moment it is processed.',
    variants: { processing: 'they count from the moment the receipt is processed' },
    evidence: ['choice'],
    note:
      'Inactivity counts from the latest createdDate of the contact or, where that is later, from the moment the ' +
      'points came into being. Points that are added by a request count from their validFrom, or from now.',
  },
  {
    id: 'A-57',
    topic: 'validFrom of a transaction whose source is Automation or Manual',
    default: 'It counts as that of any other source; only adjustments inside the service are active at once.',
    variants: {
      ignored:
        'ignored on either endpoint that adds transactions, and warned about, so that the points are active at once; the ' +
        'source is compared without case',
    },
    evidence: ['documented', 'spec'],
    note: 'The transitions say "added manually or by an automation"; the other reading is that the source of a transaction says so too.',
  },
  {
    id: 'A-58',
    topic: 'challengeId of a challenge',
    default: 'The id of its definition, which no other field holds; the path takes the `id` of the challenge itself.',
    variants: {
      challenge: 'the id of the challenge itself, the same as `id`; the definition is named in the links alone',
    },
    evidence: ['spec', 'choice'],
    note: 'The specification calls "one instance" the challenge id, and has no other field for the definition.',
  },
  {
    id: 'A-59',
    topic: 'integers as contactId and definitionId of challenges',
    default:
      'A GUID or an integer, in parameters and in award blocks. The integer of a contact is its memberNumber, that of ' +
      'a definition its place among all definitions, from 1, as GET /challenges/definitions lists them. Responses ' +
      'carry GUIDs.',
    variants: {},
    evidence: ['spec', 'choice'],
    note:
      'The specification declares integers and shows GUIDs. Member numbers are the sequence that it speaks of; a ' +
      'contact without one can be given one by PATCH. Where contacts of two types share one: 409 MultipleMatches. ' +
      'GET /__admin/contacts/{id}/card shows both forms.',
  },
  {
    id: 'A-60',
    topic: 'checkpoints that follow from receipts',
    default:
      'Each active challenge of the contact takes them when the receipt is processed. ReceiptTotal: one when ' +
      'totalGrossPrice reaches checkpointAssignOnAmount. ReceiptLineQuantity: one for each so many articles bought, all ' +
      'lines together; the rest does not count towards the next receipt. ReceiptLineTotal: one for each bought line ' +
      'whose grossPaidPrice reaches it. Money is in the group currency. Returns earn none, and take none away.',
    variants: {},
    evidence: ['inferred', 'choice'],
    note:
      'The specification names checkpointAssignOn and checkpointAssignOnAmount, and not what they do. It does not ' +
      'matter whether the purchase was made before the challenge was assigned.',
  },
  {
    id: 'A-61',
    topic: 'which purchase a returned line belongs to',
    default:
      'A purchase of the same sku up to the createdDate of the return: first those of the same price for one piece, ' +
      'then the others, the latest first. Lines that are sold on the same receipt come last. What matches no purchase ' +
      'takes no points, and is warned about.',
    variants: {
      latest: 'the latest purchase of the sku, whatever its price, even if it was made after the return',
      oldest: 'the oldest purchase of the sku up to the createdDate of the return, whatever its price',
    },
    evidence: ['documented', 'choice'],
    note: 'The price for one piece is grossPaidPrice ÷ quantity, in the currency of the receipt.',
  },
  {
    id: 'A-62',
    topic: 'points of a returned line that have expired already',
    default: 'They are not deducted again. Points that became a voucher, or were spent otherwise, are still owed.',
    variants: { deduct: 'all that the purchase gave is deducted, even what has expired' },
    evidence: ['choice'],
    note: 'A return takes from the points of its own purchase first.',
  },
  {
    id: 'A-63',
    topic: 'points of a bonus promotion when what was bought is returned',
    default:
      'They are taken back in proportion to what is returned of the receipt, by what was paid, with the source ' +
      '`BonusPromotionReturn` and the description of the bonus.',
    variants: { keep: 'the contact keeps them' },
    evidence: ['documented', 'choice'],
    note: 'That the source exists is documented; the proportion is a free choice. Expired points follow A-62.',
  },
  {
    id: 'A-64',
    topic: 'expiry in point-follower mode',
    default: 'The service expires nothing: the point master owns the points, and sends what is left of them.',
    variants: { service: 'points expire as in standard mode' },
    evidence: ['spec'],
    note:
      'A transaction of a balance has the source `UpdateBalance`. What had expired before the fixture was loaded ' +
      'stays expired.',
  },
  {
    id: 'A-65',
    topic: 'a preference that was never set',
    default: '`false`.',
    variants: { null: '`null`', true: '`true`' },
    evidence: ['spec'],
    note: 'The specification declares booleans.',
  },
  {
    id: 'A-66',
    topic: 'assigning a challenge that is over for the contact',
    default: 'It stays completed or out of time; the response is `true`, and it is warned about.',
    variants: { renew: 'it starts again: active from now on, without checkpoints' },
    evidence: ['choice'],
    note: 'The specification: the request always activates, and an existing assignment stays.',
  },
  {
    id: 'A-67',
    topic: 'receipts as files',
    default:
      'XML in UTF-8, `YYYYMMDDHHmmss_[sequence or store]_transactions.xml` in `integration/transactionImport`: ' +
      '`<transactions>` of `<transaction>`, whose elements are named as the fields of `POST /receipts`, in any ' +
      'namespace. A batch every 15 minutes takes files by name and deletes them. Receipts that exist, and those of ' +
      'unknown contacts, are ignored. One `matchKeyType` and at most 20,000 receipts a file; a file with anything ' +
      'wrong in it is refused as a whole.',
    variants: {
      row: 'an invalid receipt is refused by itself; the others of its file are imported',
      keep: 'receipts of unknown contacts are kept, and belong to nobody, as by the API (A-25)',
      create: 'an unknown contact is created from its key and type; the response does not hold its id',
      lines: 'the 20,000 count lines of receipts',
    },
    evidence: ['spec', 'documented', 'choice'],
    note:
      'The specification mentions XML files by FTP, and that contacts created that way return no id. That a file is ' +
      'refused as a whole is a free choice.',
  },
  {
    id: 'A-68',
    topic: 'POST /point-transactions without an amount',
    default: 'Accepted as 0 points, and warned about.',
    variants: { required: 'a validation error' },
    evidence: ['spec', 'choice'],
    note: 'The specification marks accountId and transactionId alone as required.',
  },
  {
    id: 'A-69',
    topic: 'an amount whose sign contradicts the transactionType',
    default:
      'A negative Addition takes points: it is recorded as a Deduction, and warned about. The amount of a Deduction or ' +
      'an Expiry is taken, whichever sign it has.',
    variants: { refuse: 'a negative Addition is a validation error' },
    evidence: ['spec', 'choice'],
    note: 'The specification says "negative for deductions" of the amount.',
  },
  {
    id: 'A-70',
    topic: 'default value of a consent definition',
    default: 'A new contact who gives no answer of its own gets it, without a source.',
    variants: { shown: 'it is only shown by `GET /consents`' },
    evidence: ['spec', 'choice'],
    note: 'The specification names a default value, and "Not set" for none, which is the default.',
  },
  {
    id: 'A-71',
    topic: "a reward voucher on a receipt that is another contact's, or has expired",
    default: 'It is not used up, and warned about; the receipt counts.',
    variants: { taken: 'it is used up all the same, and warned about' },
    evidence: ['choice'],
  },
  {
    id: 'A-72',
    topic: 'a slash at the end of a path',
    default: 'The path is served as without it.',
    variants: { strict: '404 `EndpointNotFound`' },
    evidence: ['client'],
  },
  {
    id: 'A-73',
    topic: 'an order that comes with a status that it had before',
    default: 'What that status sent is not sent again, and it is warned about: most likely it is a late repetition.',
    variants: { again: 'it is sent again, if the order had another status in between' },
    evidence: ['choice'],
  },
  {
    id: 'A-74',
    topic: 'the number of an order that comes with another contact',
    default: 'The order stays with its contact, sends nothing, and is warned about.',
    variants: { moved: 'it is moved to the other contact, and warned about' },
    evidence: ['choice'],
  },
  {
    id: 'A-75',
    topic: 'fields without a value in responses',
    default:
      '`null`. Absent are only fields that do not apply: pointsWillExpireDueToInactivity but for its expiry method, type ' +
      'and defaultValue of a consent definition that has none, further fields of a contact (A-11) without a value, and the ' +
      'details of errors.',
    variants: { absent: 'they are left out' },
    evidence: ['client', 'choice'],
  },
  {
    id: 'A-76',
    topic: 'payloads of the other kinds of events',
    default:
      '`point.balance.updated`: `{contactId, accountId, definitionId, balance, balanceExpires}` and our own `timeStamp`; `reward.voucher.created`: ' +
      '`{Amount, ContactId, Currency, Id, UniqueCode, ValidFrom, ValidTo}`, with capitals. The others are our own.',
    variants: { camelCase: 'the fields of a voucher begin with small letters, as all others' },
    evidence: ['documented', 'choice'],
  },
  {
    id: 'A-77',
    topic: 'point-based member levels',
    default:
      'A point definition of a fixture may name levels with thresholds. A contact has the highest whose threshold its ' +
      'balance has reached, loses it when the balance drops below, and has none in point-follower mode. ' +
      '`GET /__admin/contacts/{id}/card` shows it.',
    variants: { pending: 'pending points count too' },
    evidence: ['spec', 'choice'],
    note: 'The specification names point-based member levels, and no field for them.',
  },
] as const satisfies readonly Assumption[];

type AssumptionEntry = (typeof assumptions)[number];
type VariantName<R> = R extends { variants: infer V } ? `${keyof V & (string | number)}` : never;

export type AssumptionId = AssumptionEntry['id'];

/** Describes the choices of one assumption: `'default'` or the name of one of its variants. */
export type VariantOf<Id extends AssumptionId> = 'default' | VariantName<Extract<AssumptionEntry, { id: Id }>>;

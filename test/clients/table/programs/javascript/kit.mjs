/** Serves the JavaScript programs of the table: where the service is, whom it knows, and what a till sends. */
const { LOYALTY_SIM_URL, LOYALTY_SIM_ADMIN_URL, TENANT, WORK_FOLDER } = process.env;

export const base = LOYALTY_SIM_URL;
/** Holds the folder that outlives a restart of the program. */
export const folder = WORK_FOLDER;
/** Holds the behaviour that the table asks for, and what follows it. */
export const [behaviour = 'right', ...rest] = process.argv.slice(2);

const person = (number, email) => ({
  id: `5a0e7c1e-0001-4000-8000-0000000000${number}`,
  email: `${email}@example.com`,
});
export const astrid = person('01', 'astrid.lindqvist');
export const johan = person('02', 'johan.bergstrom');
export const elin = person('03', 'elin.sandberg');
export const oskar = person('04', 'oskar.nystrom');
export const maja = person('05', 'maja.holm');

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets the time of the tenant pass, where a real client would wait. */
export async function advance(length) {
  await fetch(`${LOYALTY_SIM_ADMIN_URL}/clock?tenant=${TENANT}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: length }),
  });
}

/** Ends the process as a power cut does. */
export function crash() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

export const receipt = (who, key, { total = 249, createdDate = '2026-11-20T10:15:00Z', ...fields } = {}) => ({
  contact: { matchKey: who.id, matchKeyType: 'contactId' },
  uniqueReceiptId: key,
  receiptNumber: key,
  createdDate,
  storeExternalId: '100',
  currency: 'SEK',
  totalGrossPrice: total,
  paymentMethods: [{ type: 'CARD', value: total }],
  items: [
    {
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: total,
      taxAmount: total / 5,
      taxPercent: 25,
      sku: '1001-M',
      articleNumber: '1001',
      articleName: 'T-shirt',
    },
  ],
  ...fields,
});

export const bonus = (who, amount, description = 'Style evening') => ({
  contactId: who.id,
  definitionId: 2,
  amount,
  timeStamp: '2026-11-20T10:15:00Z',
  source: 'Adjustment',
  description,
});

export const paths = {
  receipts: '/api/v3/receipts',
  contacts: '/api/v3/contacts',
  contact: ({ id }) => `/api/v3/contacts/${id}`,
  lookup: (email) => `/api/v3/contacts/id?email=${encodeURIComponent(email)}`,
  promotions: ({ id }) => `/api/v3/promotion-assignments?contactId=${id}`,
  redeem: (coupon) => `/api/v3/promotions/codes/${coupon}/redeem`,
  purchases: ({ id }) => `/api/v3/transactions?contactId=${id}`,
  accounts: ({ id }) => `/api/v3/point-accounts?contactId=${id}`,
  bulkPoints: '/api/v3/point-accounts/transactions',
  points: '/api/v3/point-transactions',
  checkpoints: '/api/v3/challenges/checkpoints',
  orders: '/orders',
};

/** Sends one request by fetch; answers nothing where no response came, else its status and its body. */
export async function call(method, path, body, { headers = {}, timeout = 30_000 } = {}) {
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        'user-agent': 'shop/1.0',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export const get = (path, options) => call('GET', path, undefined, options);
export const post = (path, body, options) => call('POST', path, body, options);
export const patch = (path, body, options) => call('PATCH', path, body, options);

/** Tells whether a response calls for a retry. */
export const isFailed = (response) => response === undefined || response.status >= 500 || response.status === 429;

/** Repeats a call until it does not fail, with growing pauses; answers the last response. */
export async function retry(attempt, pauses = [60, 120, 240]) {
  let response = await attempt(0);
  for (const [i, length] of pauses.entries()) {
    if (!isFailed(response)) return response;
    await pause(length);
    response = await attempt(i + 1);
  }
  return response;
}

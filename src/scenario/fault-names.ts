/** Faults by name: statuses written as texts, and what people know from other tools. */
export const namedFaults = {
  '400': { status: 400 },
  '401': { status: 401 },
  '403': { status: 403 },
  '404': { status: 404 },
  '408': { status: 408 },
  '409': { status: 409 },
  '413': { status: 413 },
  '422': { status: 422 },
  '429': { status: 429 },
  '500': { status: 500 },
  '502': { status: 502 },
  '503': { status: 503 },
  '504': { status: 504 },
  CONNECTION_RESET_BY_PEER: { respond: 'none', end: 'rst' },
  EMPTY_RESPONSE: { respond: 'none', end: 'fin' },
  MALFORMED_RESPONSE_CHUNK: { respond: 'bad-chunk', end: 'fin' },
  RANDOM_DATA_THEN_CLOSE: { respond: 'garbage', end: 'fin' },
  ok: { respond: 'full' },
} as const;

export type FaultName = keyof typeof namedFaults;

// The object's own keys, which TypeScript widens.
export const faultNames = Object.keys(namedFaults) as [FaultName, ...FaultName[]];

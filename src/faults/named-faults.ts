/** Faults by names that people know from other tools. */
export const namedFaults = {
  CONNECTION_RESET_BY_PEER: { respond: 'none', end: 'reset' },
  EMPTY_RESPONSE: { respond: 'none', end: 'close' },
  MALFORMED_RESPONSE_CHUNK: { respond: 'bad-chunk', end: 'close' },
  RANDOM_DATA_THEN_CLOSE: { respond: 'garbage', end: 'close' },
  ok: { respond: 'full' },
} as const;

export type NamedFaults = typeof namedFaults;
export type FaultName = keyof NamedFaults;

// The object's own keys, which TypeScript widens.
export const faultNames = Object.keys(namedFaults) as [FaultName, ...FaultName[]];

export const isFaultName = (text: string): text is FaultName => Object.hasOwn(namedFaults, text);

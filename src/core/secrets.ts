/** Keys that callers send: compared, and never shown. */

export const secretHeaders = [
  'apikey',
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'x-sim-admin-key',
  'cookie',
] as const;

/** No key is read from a query, but some clients try. */
const secretNames: ReadonlySet<string> = new Set([...secretHeaders, 'api-key', 'api_key', 'adminkey', 'admin-key']);

/** What stands in the place of a key. */
export const hidden = '(hidden)';

/** Whether a header or a parameter of this name holds a key. */
export const isSecret = (name: string): boolean => secretNames.has(name.toLowerCase());

/** What is wrong with headers that a person wrote, by their names and values. */
import type { Diagnostic } from '../../core/validation/schema-diagnostics.ts';

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export function lintHeaderNames(headers: object): Diagnostic[] {
  const firsts = new Map<string, string>();
  return Object.keys(headers).flatMap((name) => {
    if (!headerName.test(name)) return [{ path: [name], message: 'is not a name that a header can have' }];
    const first = firsts.get(name.toLowerCase());
    firsts.set(name.toLowerCase(), name);
    return first === undefined
      ? []
      : [{ path: [name], message: `is the header ${first} again: case makes no difference` }];
  });
}

/** Of headers that are to be sent. */
export const lintHeaderValues = (headers: Readonly<Record<string, unknown>>): Diagnostic[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    typeof value !== 'string' || headerValue.test(value)
      ? []
      : [{ path: [name], message: 'has characters that no header can have' }],
  );

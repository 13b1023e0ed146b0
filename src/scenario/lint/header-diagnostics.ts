/** Reports what is wrong with the names and values of headers. */
import { errorAt } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export function lintHeaderNames(headers: object): Diagnostic[] {
  const firsts = new Map<string, string>();
  return Object.keys(headers).flatMap((name) => {
    if (!headerName.test(name)) return [errorAt([name], 'is not a name that a header can have')];
    const first = firsts.get(name.toLowerCase());
    firsts.set(name.toLowerCase(), name);
    return first === undefined ? [] : [errorAt([name], `is the header ${first} again: case makes no difference`)];
  });
}

/** Reports values that can't be sent in a header. */
export const lintHeaderValues = (headers: Readonly<Record<string, unknown>>): Diagnostic[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    typeof value !== 'string' || headerValue.test(value)
      ? []
      : [errorAt([name], 'has characters that no header can have')],
  );

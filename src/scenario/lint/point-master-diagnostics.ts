/** What is well formed in a rule about the point master, and yet can't mean anything. */
import type { Diagnostic } from '../../core/validation/schema-diagnostics.ts';
import { getField, isObject } from '../../core/validation/lenient-parse.ts';
import { syncFaultNames } from '../../faults/point-master-rule-schema.ts';

const faultNameOf = (fault: unknown): string => (isObject(fault) ? (Object.keys(fault)[0] ?? '') : String(fault));

const isOfSync = (name: string): boolean => syncFaultNames.some((known) => known === name);

/** Faults happen to calls of the point master, or to balances that it sends: a rule is about one of the two. */
export function lintFaultDirection(sent: unknown): Diagnostic[] {
  const fault = getField(sent, 'fault');
  const names = (Array.isArray(fault) ? fault : [fault]).map(faultNameOf);
  const request = getField(getField(sent, 'match'), 'request');
  const wrong = typeof request === 'string' ? names.find((name) => isOfSync(name) !== (request === 'sync')) : undefined;
  if (wrong !== undefined) {
    const own = isOfSync(wrong) ? 'sync' : 'webhook or history';
    return [{ path: ['match', 'request'], message: `is "${String(request)}", and ${wrong} happens to ${own}` }];
  }
  const [first = ''] = names;
  const other = request === undefined ? names.find((name) => isOfSync(name) !== isOfSync(first)) : undefined;
  if (other === undefined) return [];
  const message = `has ${first} and ${other}: one happens to requests to the point master, the other to balances that it sends; make two rules of it`;
  return [{ path: ['fault'], message }];
}

import { errorAt } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { getField, isObject } from '../../core/validation/lenient-parse.ts';
import { syncFaultNames } from '../../faults/point-master-rule-schema.ts';

const faultNameOf = (fault: unknown): string => (isObject(fault) ? (Object.keys(fault)[0] ?? '') : String(fault));

const isOfSync = (name: string): boolean => syncFaultNames.some((known) => known === name);

/** Reports rules that mix faults of requests to the point master with faults of balances that it sends. */
export function lintFaultDirection(sent: unknown): Diagnostic[] {
  const fault = getField(sent, 'fault');
  const names = (Array.isArray(fault) ? fault : [fault]).map(faultNameOf);
  const request = getField(getField(sent, 'match'), 'request');
  const wrong = typeof request === 'string' ? names.find((name) => isOfSync(name) !== (request === 'sync')) : undefined;
  if (wrong !== undefined) {
    const own = isOfSync(wrong) ? 'sync' : 'webhook or history';
    return [errorAt(['match', 'request'], `is "${String(request)}", and ${wrong} happens to ${own}`)];
  }
  const [first = ''] = names;
  const other = request === undefined ? names.find((name) => isOfSync(name) !== isOfSync(first)) : undefined;
  if (other === undefined) return [];
  const message = `has ${first} and ${other}: one happens to requests to the point master, the other to balances that it sends; make two rules of it`;
  return [errorAt(['fault'], message)];
}

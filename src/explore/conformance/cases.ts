/** The suite that clients are held to: what goes wrong, once, with a call of each idempotency class. */
import type { RetryClass } from '../../core/exchange/endpoint.ts';
import { endpoints } from '../../service/endpoints.ts';
import type { RuleInput } from '../../faults/rule-schema.ts';

/** One thing that goes wrong with the first call of one class. */
export interface ConformanceCase {
  /** `keyed/504-after` */
  readonly id: string;
  readonly description: string;
  readonly rules: RuleInput[];
}

/** Names each class at the start of a case's description. */
const classes: Readonly<Record<RetryClass, string>> = {
  safe: 'A read',
  idempotent: 'A write that may be repeated',
  keyed: 'A call with a key of its own',
  unkeyed: 'An adding call without a key',
  once: 'A redemption',
};

const faults: readonly { readonly id: string; readonly says: string; readonly fault: RuleInput['fault'] }[] = [
  { id: '500', says: 'is answered 500; nothing was done', fault: ['500'] },
  { id: '504', says: 'is answered 504; nothing was done', fault: ['504'] },
  { id: '504-after', says: 'is answered 504; it was done', fault: [{ phase: 'after', status: 504 }] },
  { id: 'lost-before', says: 'is reset; nothing was done', fault: [{ respond: 'none', end: 'reset' }] },
  { id: 'lost-after', says: 'is reset; it was done', fault: [{ phase: 'after', respond: 'none', end: 'reset' }] },
  { id: 'closed', says: 'gets no answer; it was done', fault: [{ phase: 'after', respond: 'none', end: 'close' }] },
  { id: 'hang', says: 'is never answered; it was done', fault: [{ phase: 'after', respond: 'none', end: 'hang' }] },
  {
    id: 'cut',
    says: 'gets half of its answer; it was done',
    fault: [{ phase: 'after', respond: 'partial', end: 'close' }],
  },
  { id: '429', says: 'is answered 429, wait a second', fault: [{ status: 429, headers: { 'Retry-After': '1' } }] },
  { id: '400', says: 'is answered 400', fault: ['400'] },
  { id: '404', says: 'is answered 404', fault: ['404'] },
];

/** The rule of a case, to be found again in its verdict. */
export const caseRule = 'conformance';

const endpointsOf = (retry: RetryClass): string[] =>
  endpoints.filter((endpoint) => endpoint.retry === retry).map(({ id }) => id);

// The object's own keys, which TypeScript widens.
const classNames = Object.keys(classes) as RetryClass[];

/** Nothing goes wrong: what the client calls at all. */
export const plainCase: ConformanceCase = { id: 'plain', description: 'Nothing goes wrong.', rules: [] };

export const conformanceCases: readonly ConformanceCase[] = [
  plainCase,
  ...classNames.flatMap((retry) =>
    faults.map(({ id, says, fault }) => ({
      id: `${retry}/${id}`,
      description: `${classes[retry]} ${says}.`,
      rules: [{ id: caseRule, match: { endpoint: endpointsOf(retry) }, fault, times: 1 }],
    })),
  ),
];

/** The endpoints whose first call meets what goes wrong; none of the plain case. */
export const faultedEndpoints = ({ rules }: ConformanceCase): readonly string[] =>
  rules.flatMap(({ match }) => match?.endpoint ?? []);

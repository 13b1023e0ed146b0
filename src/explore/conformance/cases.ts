/** Lists the conformance suite: each fault, once, with a request of each idempotency class. */
import type { Endpoint, RetryClass } from '../../core/exchange/endpoint.ts';
import type { RuleInput } from '../../faults/rule-schema.ts';

/** One fault that hits the first request of one class. */
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
  keyed: 'A write with a key of its own',
  unkeyed: 'A non-idempotent write without a key',
  once: 'A redemption',
};

const faults: readonly { readonly id: string; readonly says: string; readonly fault: RuleInput['fault'] }[] = [
  { id: '500', says: 'gets status 500; nothing was done', fault: ['500'] },
  { id: '504', says: 'gets status 504; nothing was done', fault: ['504'] },
  { id: '504-after', says: 'gets status 504; it was done', fault: [{ phase: 'after', status: 504 }] },
  { id: 'lost-before', says: 'is reset; nothing was done', fault: [{ respond: 'none', end: 'reset' }] },
  { id: 'lost-after', says: 'is reset; it was done', fault: [{ phase: 'after', respond: 'none', end: 'reset' }] },
  { id: 'closed', says: 'gets no response; it was done', fault: [{ phase: 'after', respond: 'none', end: 'close' }] },
  { id: 'hang', says: 'never gets a response; it was done', fault: [{ phase: 'after', respond: 'none', end: 'hang' }] },
  {
    id: 'cut',
    says: 'gets half of its response; it was done',
    fault: [{ phase: 'after', respond: 'partial', end: 'close' }],
  },
  { id: '429', says: 'gets status 429 with Retry-After: 1', fault: [{ status: 429, headers: { 'Retry-After': '1' } }] },
  { id: '400', says: 'gets status 400', fault: ['400'] },
  { id: '404', says: 'gets status 404', fault: ['404'] },
];

/** Holds the id of a case's fault rule, by which its verdict shows whether it fired. */
export const caseRule = 'conformance';

// The object's own keys, which TypeScript widens.
const classNames = Object.keys(classes) as RetryClass[];

/** Runs without a fault, to see which endpoints the client uses. */
export const plainCase: ConformanceCase = { id: 'plain', description: 'Nothing goes wrong.', rules: [] };

/** Returns the suite for a service with these endpoints. */
export const conformanceCases = (endpoints: readonly Endpoint[]): readonly ConformanceCase[] => [
  plainCase,
  ...classNames.flatMap((retry) =>
    faults.map(({ id, says, fault }) => ({
      id: `${retry}/${id}`,
      description: `${classes[retry]} ${says}.`,
      rules: [
        {
          id: caseRule,
          match: { endpoint: endpoints.filter((one) => one.retry === retry).map((one) => one.id) },
          fault,
          times: 1,
        },
      ],
    })),
  ),
];

/** Returns the endpoints whose first request a case hits; none for the plain case. */
export const faultedEndpoints = ({ rules }: ConformanceCase): readonly string[] =>
  rules.flatMap(({ match }) => match?.endpoint ?? []);

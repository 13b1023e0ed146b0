/** Lists the conformance suite: each fault, once, with a request of each idempotency class. */
import type { Endpoint, RetryClass } from '../../core/exchange/endpoint.ts';
import type { RuleInput } from '../../faults/rule-schema.ts';
import { probeOf } from '../probes.ts';

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

/** Names the faults of the suite, and where their name in a case is a shorter one. */
const faults: readonly { readonly id: string; readonly probe: string }[] = [
  { id: '500', probe: '500' },
  { id: '504', probe: '504' },
  { id: '504-after', probe: '504-after' },
  { id: 'lost-before', probe: 'lost-before' },
  { id: 'lost-after', probe: 'lost-after' },
  { id: 'closed', probe: 'closed-after' },
  { id: 'hang', probe: 'hang-after' },
  { id: 'cut', probe: 'cut' },
  { id: '429', probe: '429' },
  { id: '400', probe: '400' },
  { id: '404', probe: '404' },
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
    faults.map(({ id, probe }) => ({
      id: `${retry}/${id}`,
      description: `${classes[retry]} ${probeOf(probe).says}.`,
      rules: [
        {
          id: caseRule,
          match: { endpoint: endpoints.filter((one) => one.retry === retry).map((one) => one.id) },
          // A list is used up after its first round.
          fault: [probeOf(probe).fault],
          times: 1,
        },
      ],
    })),
  ),
];

/** Returns the endpoints whose first request a case hits; none for the plain case. */
export const faultedEndpoints = ({ rules }: ConformanceCase): readonly string[] =>
  rules.flatMap(({ match }) => match?.endpoint ?? []);

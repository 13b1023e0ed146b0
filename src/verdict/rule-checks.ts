/** Whether what a scenario plans to go wrong did go wrong. */
import type { ActiveFaultRule } from '../faults/fault-rules.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import type { RuleCheck } from './verdict.ts';

/** A rule of any kind. */
interface CheckedRule extends Pick<ActiveFaultRule, 'matched' | 'fired'> {
  readonly rule: {
    readonly id: string;
    readonly limit: number;
    readonly written: Pick<RuleSpec, 'description' | 'optional' | 'probability'>;
  };
}

export function checkRule({ rule: { id, written, limit }, matched, fired }: CheckedRule): RuleCheck {
  const shared = { id, description: written.description ?? null, matched, fired };
  if (fired > 0) {
    const rest = fired < limit && Number.isFinite(limit) ? `; ${limit - fired} of its ${limit} faults never fired` : '';
    return { ...shared, verdict: 'PASS', reason: `fired ${fired} ${fired === 1 ? 'time' : 'times'}${rest}` };
  }
  const requests = `${matched} ${matched === 1 ? 'request' : 'requests'}`;
  const why =
    matched === 0 ? 'it matched no request' : `it matched ${requests}, but was not active for them or not drawn`;
  const reason = `never fired: ${why}`;
  // What is left to chance may well not happen.
  const mayStayAway = written.optional === true || (written.probability ?? 1) < 1;
  return { ...shared, verdict: mayStayAway ? 'PASS' : 'INCONCLUSIVE', reason };
}

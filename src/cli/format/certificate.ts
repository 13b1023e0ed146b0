/** Formats a certificate for the terminal. */
import type { Certificate } from '../../explore/certificate/certificate.ts';
import { dependenceLines } from '../../explore/certificate/dependences.ts';
import { counted } from '../../explore/report/words.ts';
import { colorize } from './runs.ts';

/** Limits the tests that are named for each rule; the document has all of them. */
const maxShown = 3;

/** Returns lines for what did not pass, by rule, for what was not tested, and for the verdict. */
export function formatCertificate({ rows, variants, notTested, verdict, reason }: Certificate): string[] {
  const broken = [...new Set(rows.flatMap((row) => row.broken))];
  const open = rows.filter(({ outcome }) => outcome === 'INCONCLUSIVE').map(({ id }) => id);
  const { budget, unreachable, equivalent, endpoints, rules } = notTested;
  return [
    ...broken.map(
      (rule) => `✗ ${rule}: ${listOf(rows.filter((row) => row.broken.includes(rule)).map(({ id }) => id))}`,
    ),
    ...(open.length > 0 ? [`? not decided: ${listOf(open)}`] : []),
    ...variants.flatMap(dependenceLines).map((line) => `assumptions: ${line}`),
    `not tested: ${[
      `${counted(budget.length, 'point')} for the budget`,
      `${unreachable.length} never met`,
      `${equivalent.length} equivalent to others`,
      `${counted(endpoints.length, 'endpoint')} never called`,
      counted(rules.length, 'rule'),
    ].join(', ')}`,
    `${verdict}: ${reason}`,
  ].map(colorize);
}

const listOf = (ids: readonly string[]): string =>
  `${ids.slice(0, maxShown).join(', ')}${ids.length > maxShown ? ` and ${ids.length - maxShown} more` : ''}`;

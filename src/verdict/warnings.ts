/** Counts the warnings of a journal by their codes, and fails those that were declared to. */
import * as z from '../core/validation/deferred-zod.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { forEachInSteps } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { everyWarning } from '../service/warnings.ts';
import { scenarioOf } from '../scenario/scenario.ts';

/** Limits the requests that are named for a code. */
const maxListed = 3;

export const warningCountSchema = z
  .strictObject({
    code: z.string(),
    count: z.int(),
    message: z.string().describe('The first of them'),
    requests: z.array(z.string()).describe(`Ids of the first requests, at most ${maxListed}`),
  })
  .meta({ id: 'WarningCount', description: 'Warnings of one code in the responses and in the jobs behind them' });

export type WarningCount = z.infer<typeof warningCountSchema>;

/** Warns of how the simulator is called, which most test setups do without a key: it fails a verdict only by its name. */
const aboutSetup = 'key-missing';

/** Returns the warnings that a verdict lists: those about what the client did. */
export const listedWarnings = (warnings: readonly WarningCount[]): WarningCount[] =>
  warnings.filter(({ code }) => code !== aboutSetup);

/** Returns the warnings of all requests by code, the most frequent first. */
export function* countWarnings(exchanges: readonly Exchange[]): Steps<WarningCount[]> {
  const found = new Map<string, WarningCount>();
  yield* forEachInSteps(exchanges, ({ id, sideEffects, deferredEffects }) => {
    for (const { code, message } of sideEffects.warnings) count(found, { code, message, id });
    for (const late of deferredEffects)
      for (const { code, message } of late.sideEffects.warnings) count(found, { code, message, id });
  });
  // By the rules of a language it would take long, and depend on the machine.
  return [...found.values()].toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

interface CountedWarning {
  readonly code: string;
  readonly message: string;
  /** Holds the id of its request. */
  readonly id: string;
}

function count(found: Map<string, WarningCount>, { code, message, id }: CountedWarning): void {
  const known = found.get(code) ?? { code, count: 0, message, requests: [] };
  known.count++;
  if (known.requests.length < maxListed && known.requests.at(-1) !== id) known.requests.push(id);
  found.set(code, known);
}

/** Returns a failed check for each code that fails the verdict (default: those that the simulator was started with). */
export function checkWarnings(
  tenant: Tenant,
  warnings: readonly WarningCount[],
  codes: readonly string[] = scenarioOf(tenant).failOnWarnings,
) {
  const failing = new Set(codes);
  return warnings
    .filter(({ code }) => failing.has(code) || (failing.has(everyWarning) && code !== aboutSetup))
    .map(({ code, count: times, message, requests }) => ({
      description: `no warning ${code}`,
      verdict: 'FAIL' as const,
      reason: `${times} ${times === 1 ? 'warning' : 'warnings'}, first at ${requests[0]}: ${message}`,
      requests,
    }));
}

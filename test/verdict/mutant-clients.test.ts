/** The verdict on whole clients: a till that is right, and copies of it with a defect each. */
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { mutants, mutate, scenarios } from '../clients/mutants.mjs';
import { tillPolicy } from '../clients/shipped.mjs';
import type { Mutant } from '../clients/mutants.mjs';
import { tidy } from '../support/command.ts';
import { playInTime } from '../support/in-time.ts';
import { dayOf, failedBy, referenceTill, shippedDay, tillFrom, tillText } from '../support/clients.ts';

const failed = new Map<string, readonly string[]>();

async function judge(mutant: Mutant): Promise<void> {
  const till = tillFrom(mutate(tillText(), mutant));
  const verdict = await playInTime(() => dayOf(till, mutant));
  const rules = failedBy(verdict);
  failed.set(mutant.name, rules);
  expect(rules, verdict.reason).toContain(mutant.rule);
  const known = new Set([mutant.rule, ...(mutant.also ?? [])]);
  expect(
    rules.filter((rule) => !known.has(rule)),
    verdict.reason,
  ).toEqual([]);
}

describe('a till that', () => {
  it.concurrent.each(mutants)('$name is failed by $rule', judge);
});

describe('the reference till', () => {
  it.concurrent.each(scenarios.map((mutant) => [mutant.name, mutant] as const))(
    'gets through where another %s',
    async (_, day) => {
      const verdict = await playInTime(() => dayOf(referenceTill, day));
      expect(verdict.verdict, verdict.reason).toBe('PASS');
    },
  );

  it.concurrent.each(readdirSync('scenarios').filter((file) => file.endsWith('.yaml')))(
    'gets through scenarios/%s',
    async (file) => {
      const verdict = await playInTime(() => dayOf(referenceTill, shippedDay(file)));
      expect(verdict.verdict, verdict.reason).toBe('PASS');
    },
  );
});

describe('the reference till', () => {
  it.concurrent.each(['getContactId', 'createContact'])(
    'gives a new customer all there is, although %s fails four times',
    async (endpoint) => {
      const served: (string | undefined)[] = [];
      const verdict = await playInTime(() =>
        dayOf(referenceTill, {
          scenario: { policy: tillPolicy, rules: [{ match: { endpoint }, fault: [504, 504, 504, 504] }] },
          email: 'somebody.new@example.com',
          onRequest: (_, exchange) => void served.push(exchange.endpoint),
        }),
      );
      expect(verdict.verdict, verdict.reason).toBe('PASS');
      expect(served).toEqual(
        expect.arrayContaining([
          'createContact',
          'updateContact',
          'createReceipt',
          'addPointTransactions',
          'addPointTransaction',
          'awardCheckpoints',
        ]),
      );
    },
  );
});

// After all of them: those that run at the same time share what `tidy` removes.
afterAll(() => {
  tidy();
  const lines = mutants.map(({ name }) => `  ${name.padEnd(56)} ${(failed.get(name) ?? ['not judged']).join(' ')}`);
  process.stdout.write(`\nTills with a defect, and the rules that failed them:\n${lines.join('\n')}\n`);
});

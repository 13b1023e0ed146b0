import { describe, expect, it } from 'vitest';
import { dayOf, failedBy, tillFrom, tillText } from '../support/clients.ts';
import { mutants, mutate, scenarios } from '../clients/mutants.mjs';

describe('the reference till', () => {
  it.concurrent.each(scenarios.map((mutant, i) => [i + 1, mutant] as const))(
    'gets through the scenario of defect %i',
    async (_, { scenario, email, pauses }) => {
      const verdict = await dayOf(await tillFrom(tillText()), { scenario, email, pauses });
      expect(verdict.verdict, verdict.reason).toBe('PASS');
    },
  );
});

describe('a till that', () => {
  it.concurrent.each(mutants)('$name is failed by $rule', async (mutant) => {
    const { rule, scenario, email, checkouts, pauses } = mutant;
    const verdict = await dayOf(await tillFrom(mutate(tillText(), mutant)), { scenario, email, checkouts, pauses });
    expect(failedBy(verdict), verdict.reason).toContain(rule);
  });
});

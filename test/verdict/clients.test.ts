import { describe, expect, it } from 'vitest';
import { dayOf, failedBy, referenceTill, tillFrom, tillText } from '../support/clients.ts';
import { mutants, mutate, scenarios } from '../clients/mutants.mjs';

describe('the reference till', () => {
  it.concurrent.each(scenarios.map((mutant, i) => [i + 1, mutant] as const))(
    'gets through the scenario of defect %i',
    async (_, day) => {
      const verdict = await dayOf(referenceTill, day);
      expect(verdict.verdict, verdict.reason).toBe('PASS');
    },
  );
});

describe('a till that', () => {
  it.concurrent.each(mutants)('$name is failed by $rule', async (mutant) => {
    const verdict = await dayOf(tillFrom(mutate(tillText(), mutant)), mutant);
    console.log(`MUT ${mutant.name} | ${mutant.rule} | ${failedBy(verdict).join(',')}`);
    expect(failedBy(verdict), verdict.reason).toContain(mutant.rule);
  });
});

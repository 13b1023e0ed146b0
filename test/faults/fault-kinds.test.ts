import { describe, expect, it } from 'vitest';
import { faultAliasNames, faultKinds } from '../../src/faults/fault-kinds.ts';
import type { RuleInput } from '../../src/faults/rule-schema.ts';
import { parseRule } from '../../src/scenario/validate.ts';
import { openSim } from '../support/open-sim.ts';

// Read as a person writes it; parseRule says whether it can be used.
const ruleOf = (fault: unknown) => ({ fault }) as RuleInput;

describe.each(faultKinds.map((kind) => [kind.name, kind] as const))('the kind of fault %s', (name, kind) => {
  it('has an example and choices that rules can have', () => {
    for (const fault of [kind.example, ...kind.choices.map((choice) => choice.fault)])
      expect(() => parseRule(ruleOf(fault))).not.toThrow();
  });

  it('is what the journal calls a request that it hits', async () => {
    const { sim, get } = await openSim();
    const { end: _, ...fault } = kind.example;
    await sim.faults.add(ruleOf({ ...fault, delay: 1 }));
    await sim
      .fetch('/api/v3/contacts/count')
      .then((response) => response.text())
      .catch(() => undefined);
    expect((await get('/__admin/requests/default-1')).body.fault.respond).toBe(name);
  });
});

describe('the schema of a rule', () => {
  it.each(faultAliasNames)('takes %s for a fault', (alias) => {
    expect(parseRule({ fault: alias }).fault).toBe(alias);
  });
});

it('the kinds are listed by the control API, each choice of the form under a value of its own', async () => {
  const { get } = await openSim();
  const { kinds } = (await get('/__admin/fault-kinds')).body;
  expect(kinds.map(({ name }: { name: string }) => name)).toEqual(faultKinds.map(({ name }) => name));
  const values = kinds.flatMap(({ choices }: { choices: { value: string }[] }) => choices.map(({ value }) => value));
  expect(new Set(values).size).toBe(values.length);
});

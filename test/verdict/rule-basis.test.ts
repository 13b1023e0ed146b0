/** Each rule shows what it rests on, and quotes only what the specification says. */
import { describe, expect, it } from 'vitest';
import type { Basis } from '../../src/core/validation/finding.ts';
import { assumptions } from '../../src/service/assumptions/catalog.ts';
import { retryRules } from '../../src/verdict/rules/catalog.ts';
import { auditBases } from '../../src/webhooks/audit/findings.ts';
import { rules as specified } from '../conformance/spec/rules.ts';

/** Returns the texts of the specification at the place that a basis names: `General rule 2`, `Events`. */
function textsAt(place: string): string[] {
  const [id] =
    /^(general|error)\.rule\.\d$/.exec(place.toLowerCase().replace('errors', 'error').replaceAll(' ', '.')) ?? [];
  return specified.filter((one) => (id ? one.id === id : one.section.endsWith(place))).map(({ text }) => text);
}

const bases: [name: string, basis: Basis][] = [
  ...retryRules.map(({ id, basis }): [string, Basis] => [id, basis]),
  ...Object.entries(auditBases),
];
const from = (source: Basis['source']) => bases.filter(([, basis]) => basis.source === source);

describe("a rule's basis", () => {
  it.each(from('specification'))('quotes for %s what the specification says, word by word', (_, { text }) => {
    const { place = '', quotation } = /^(?<place>[\w ]+): “(?<quotation>[^“”]+)”$/u.exec(text)?.groups ?? {};
    expect(textsAt(place).join('\n')).toContain(quotation);
  });

  it.each(bases.filter(([, { source }]) => source !== 'specification'))('quotes nothing for %s', (_, { text }) => {
    expect(text).not.toMatch(/[“”"]|rule \d/);
  });

  it.each(from('assumption'))('names for %s the assumptions that fill the gap', (_, { text }) => {
    const [named = ''] = text.split(':');
    const ids = named.split(' and ');
    expect(ids.filter((id) => !assumptions.some((one) => one.id === id))).toEqual([]);
  });
});

it('the catalogues have rules of every source', () => {
  expect(new Set(bases.map(([, { source }]) => source))).toEqual(
    new Set(['specification', 'policy', 'assumption', 'guidance']),
  );
});

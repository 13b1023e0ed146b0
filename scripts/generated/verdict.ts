import * as z from '../../src/core/validation/deferred-zod.ts';
import { mutants } from '../../test/clients/mutants.mjs';
import { policySchema } from '../../src/scenario/policy-schema.ts';
import { formatBasis } from '../../src/format/timeline.ts';
import { retryRules } from '../../src/verdict/rules/catalog.ts';
import { list, page } from './page.ts';
import { code, table } from './table.ts';

const rule = ({ id, title, basis, advice }: (typeof retryRules)[number]): string =>
  `### ${id} ${title}\n\n> ${formatBasis(basis)}\n\nFix: ${advice}`;

/** Lists the rules with the source of their basis. */
const overview = (): string =>
  table(
    ['Rule', 'What it asks', 'Basis'],
    retryRules.map(({ id, title, basis }) => [id, title, basis.source]),
  );

function policyTable(): string {
  return list(Object.entries(policySchema.shape).flatMap(([name, schema]) => fieldLines(name, schema)));
}

function fieldLines(name: string, schema: z.ZodType): string[] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(inner instanceof z.ZodObject)) return [`${code(name)}: ${schema.description ?? ''}`];
  return Object.entries<z.ZodType>(inner.shape).map(
    ([field, one]) => `${code(`${name}.${field}`)}: ${one.description ?? ''}`,
  );
}

function mutantTable(): string {
  const rows = mutants.map(({ name, rule: meant, also = [] }) => [name, meant, also.join(', ')]);
  return table(['A till that …', 'breaks', 'and'], rows);
}

/** Returns docs/verdict.md. */
export const verdictPage = (): string =>
  page('verdict', 'the rules, and the tills of test/clients', {
    policy: policyTable(),
    overview: overview(),
    mutants: mutantTable(),
    ...Object.fromEntries(retryRules.map((one) => [one.id, rule(one)])),
  });

import * as z from '../../src/core/validation/deferred-zod.ts';
import { mutants } from '../../test/clients/mutants.mjs';
import { policySchema } from '../../src/scenario/policy-schema.ts';
import { formatBasis } from '../../src/format/timeline.ts';
import { retryRules } from '../../src/verdict/rules/catalog.ts';
import { page } from './page.ts';
import { code, fieldTable, marked, table, withoutDefault } from './table.ts';
import { exampleOf, valuesOf } from './values.ts';
import type { Property } from './values.ts';

const rule = ({ id, title, basis, advice }: (typeof retryRules)[number]): string =>
  `### ${id} ${title}\n\n> ${formatBasis(basis)}\n\nFix: ${advice}`;

/** Lists the rules with the source of their basis. */
const overview = (): string =>
  table(
    ['Rule', 'What it asks', 'Basis'],
    retryRules.map(({ id, title, basis }) => [id, title, basis.source]),
  );

/** Each field of a policy with an example, as YAML. */
const examples: Readonly<Record<string, string>> = {
  maxAttempts: '4',
  minBackoff: '[1s, 2s, 4s]',
  tolerance: '100ms',
  timeout: '10s',
  ignoreFields: "[sentAt, 'items[*].scannedAt']",
  clientHeader: 'till-id',
  deduplicationWindow: '5m',
  'storeAndForward.after': '1m',
  giveUp: 'note',
  'retryStorm.maxPerSecond': '20',
  'retryStorm.maxConcurrent': '5',
};

const policyTable = (): string =>
  fieldTable(
    ['Field', 'Values', 'Default', 'Example', 'Meaning'],
    Object.entries(policySchema.shape).flatMap(([name, schema]) => fieldRows(name, schema)),
  );

function fieldRows(name: string, schema: z.ZodType): string[][] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(inner instanceof z.ZodObject)) return [fieldRow([name], schema)];
  return Object.entries<z.ZodType>(inner.shape).map(([field, one]) => fieldRow([name, field], one));
}

function fieldRow(path: readonly string[], schema: z.ZodType): string[] {
  const name = path.join('.');
  const { words, standard } = withoutDefault(schema.description ?? '');
  // A JSON schema may be anything; of ours some keywords are read.
  const property = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Property;
  const example = exampleOf(policySchema, path, examples[name] ?? '');
  return [code(name), valuesOf(property), standard, example, marked(words)];
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

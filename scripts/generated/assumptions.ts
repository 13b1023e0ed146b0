import { assumptions } from '../../src/resources/assumptions.ts';
import type { Assumption, Evidence } from '../../src/resources/assumptions.ts';
import { anchorOf, code, note, table } from './table.ts';

const evidenceWords: Readonly<Record<Evidence, string>> = {
  documented: 'documented publicly',
  'documented-v2': 'documented for v2',
  client: 'seen in client programs',
  inferred: 'inferred',
  choice: 'a free choice',
  spec: 'specification',
};

const introduction = `# Assumptions

The specification of the service leaves some points open. Each is an assumption with a number: how we read it unless
told otherwise, what else it can be set to, and how we know. Set one with \`--assume A-24=twice\`, in the config file
(\`"assume": { "A-24": "twice" }\`) or per tenant. \`GET /__admin/assumptions\` says which of them requests have rested on.`;

const rowOf = ({ id, topic, default: reading, variants, evidence, note: remark }: Assumption): string[] => [
  `<a id="${anchorOf(id)}"></a>${id}`,
  topic,
  remark === undefined ? reading : `${reading} (${remark})`,
  Object.entries(variants)
    .map(([name, meaning]) => `${code(name)}: ${meaning}`)
    .join('<br>') || '–',
  evidence.map((kind) => evidenceWords[kind]).join(', '),
];

/** docs/assumptions.md */
export const assumptionsPage = (): string =>
  [
    note,
    introduction,
    table(
      ['', 'Open point', 'Our reading', 'Variants', 'Evidence'],
      assumptions.map((row) => rowOf(row)),
    ),
  ].join('\n\n') + '\n';

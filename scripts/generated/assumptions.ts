import { assumptions } from '../../src/service/assumptions/catalog.ts';
import type { Assumption, AssumptionEvidence } from '../../src/service/assumptions/catalog.ts';
import { list } from './page.ts';
import { anchorOf, code, note } from './table.ts';

const evidenceWords: Readonly<Record<AssumptionEvidence, string>> = {
  documented: 'documented publicly',
  'documented-v2': 'documented for v2',
  client: 'seen in client programs',
  inferred: 'inferred',
  choice: 'a free choice',
  spec: 'specification',
};

const introduction = `# Assumptions

The specification of the service leaves some points open. Each is an assumption with a number: how we read it by
default, what else it can be set to, and how we know. Set one with \`--assume A-24=twice\`, in the config file
(\`"assumptions": { "A-24": "twice" }\`) or per tenant. \`GET /__admin/assumptions\` says which of them requests have rested on.

Below each stands what else it can be set to, by its name.`;

const variantLine = ([name, meaning]: readonly [string, string]): string => `${code(name)}: ${meaning}`;

const evidenceOf = (evidence: readonly AssumptionEvidence[]): string =>
  evidence.map((kind) => evidenceWords[kind]).join(', ');

function section({ id, topic, default: reading, variants, evidence, note: remark }: Assumption): string {
  const others = Object.entries(variants).map(variantLine);
  return [
    `### <a id="${anchorOf(id)}"></a>${id}: ${topic}`,
    remark === undefined ? reading : `${reading} (${remark})`,
    ...(others.length > 0 ? [list(others)] : []),
    `_How we know: ${evidenceOf(evidence)}_`,
  ].join('\n\n');
}

/** Returns docs/assumptions.md. */
export const assumptionsPage = (): string => `${[note, introduction, ...assumptions.map(section)].join('\n\n')}\n`;

import { compileActivation } from '../core/lib/activation.ts';
import { seededRandom } from '../core/lib/random.ts';
import { RuleKind } from '../core/lib/rule-set.ts';
import type { ActiveRule, CompiledRule } from '../core/lib/rule-set.ts';
import type { ImportFault, ImportStage, ImportStep } from '../core/tenant/import-faults.ts';
import type { ImportRuleSpec } from './import-rule-schema.ts';

type ImportRule = CompiledRule<ImportRuleSpec, ImportStep, ImportFault>;
export type ActiveImportRule = ActiveRule<ImportRule, ImportStep>;

export const importRuleKind = new RuleKind<ImportRuleSpec, ImportStep, ImportFault, ImportRule>({
  prefix: 'import',
  addedPrefix: 'import-fault',
  compile: compileImportRule,
});

const stages: Readonly<Record<ImportFault['kind'], ImportStage>> = {
  late: 'batch',
  fail: 'batch',
  refuse: 'file',
  break: 'upload',
};

function compileImportRule(spec: ImportRuleSpec, id: string): ImportRule {
  const faults = [spec.fault].flat().map(compileImportFault);
  const hit = new Set(faults.map(({ kind }) => stages[kind]));
  const isMeant = matcherOfName(spec.match?.file);
  const activation = compileActivation(spec, faults.length);
  return {
    id,
    spec,
    matches: ({ stage, name }) => hit.has(stage) && (stage === 'batch' || isMeant(name)),
    activation,
    faults,
    limit: activation.limit,
    createSampler:
      () =>
      ({ tenant, stage }, matched) =>
      (name) =>
        seededRandom(tenant.settings.seed, `${tenant.name}/import/${id}/${stage}/${matched}/${name}`),
  };
}

/** Matches a name piece by piece, in linear time. */
function matcherOfName(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const [first = '', ...pieces] = pattern.split('*');
  const last = pieces.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const piece of pieces) {
      const found = name.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}

type ImportFaultSpec = Exclude<ImportRuleSpec['fault'], readonly unknown[]>;

function compileImportFault(spec: ImportFaultSpec): ImportFault {
  if (typeof spec === 'string') return { kind: spec };
  const { late, break: after } = spec;
  // One of the two is there.
  return late === undefined ? { kind: 'break', after: after ?? 0 } : { kind: 'late', by: late };
}

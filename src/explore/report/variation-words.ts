/** Says in words what depends on which assumption. */
import { findAssumption } from '../../service/assumptions/variants.ts';
import type { VariedRun, Variation } from '../vary.ts';
import { counted } from './words.ts';

const when = (variant: string): string => (variant === 'default' ? 'by default' : `when ${variant}`);

const namesOf = (runs: readonly VariedRun[]): string =>
  runs.map(({ assumption, variant }) => `${assumption} ${variant}`).join(', ');

const nameOf = ({ assumption }: VariedRun): string =>
  `${assumption} (${findAssumption(assumption)?.topic ?? 'unknown'})`;

const because = ({ reason }: VariedRun): string => (reason === undefined ? '' : `: ${reason}`);

/** Returns lines that continue one about a finding, or about what passed: `depends on A-24 (…): …`. */
export function variationLines({ finding, runs }: Variation): string[] {
  if (runs.length === 0) return ['rests on no assumption that has variants'];
  const expected = finding === undefined ? 'passes' : 'fails';
  const differing = runs.filter(({ outcome }) => outcome === (expected === 'fails' ? 'passes' : 'fails'));
  const unclear = runs.filter(({ outcome }) => outcome === 'unclear');
  const left = runs.filter(({ outcome }) => outcome === 'not-varied');
  const same = runs.filter(({ outcome }) => outcome === expected);
  return [
    ...differing.map((run) => dependence(run, expected)),
    ...runs
      .filter(({ outcome }) => outcome === 'differs')
      .map((run) => `depends on ${nameOf(run)}: leaves another state ${when(run.variant)}${because(run)}`),
    ...(same.length > 0 ? [holding(same, runs)] : []),
    ...unclear.map((run) => `is not clear under ${run.assumption} ${run.variant}${because(run)}`),
    ...(left.length > 0 ? [`was not varied, because the budget was over: ${namesOf(left)}`] : []),
  ];
}

function dependence(run: VariedRun, expected: 'passes' | 'fails'): string {
  const { inForce, variant, outcome, title } = run;
  const at = expected === 'passes' ? ` (${title})` : '';
  return `depends on ${nameOf(run)}: ${expected} ${when(inForce)}, ${outcome} ${when(variant)}${at}${because(run)}`;
}

/** Returns how many variants change nothing; `all` of them when no run says otherwise. */
function holding(same: readonly VariedRun[], runs: readonly VariedRun[]): string {
  const ids = [...new Set(same.map(({ assumption }) => assumption))].join(', ');
  const other = same.find(({ reason }) => reason !== undefined);
  const how = other ? ` (under ${other.assumption} ${other.variant} by another rule${because(other)})` : '';
  const count = counted(same.length, 'variant');
  return `holds under ${same.length === runs.length ? `all ${count}` : count} of ${ids}${how}`;
}

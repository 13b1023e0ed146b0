import { worst } from '../retries.ts';
import type { Word } from '../retries.ts';
import { titleOf } from '../timeline.ts';
import type { Verdict } from '../verdict.ts';

/** A run of a client, as reports tell of it. */
export interface ReportedRun {
  /** The scenario's name, or the command's. */
  readonly name: string;
  readonly description: string | undefined;
  /** When it began, on the machine's clock. */
  readonly at: string;
  /** How long it took. */
  readonly ms: number;
  readonly verdict: Verdict;
}

/** The worst of them. */
export const verdictOf = (runs: readonly ReportedRun[]): Word => worst(runs.map(({ verdict }) => verdict.verdict));

/** What was judged of a run. */
type Judged = Pick<Verdict, 'rules' | 'operations'> & { readonly checks: readonly Verdict['checks'][number][] };

/** One thing that was judged: an expectation, a rule of the scenario, an operation of the client, a step of a script. */
export interface Item {
  readonly kind: 'check' | 'rule' | 'operation' | 'step' | 'case';
  readonly name: string;
  readonly verdict: Word;
  readonly messages: readonly string[];
  readonly advice: readonly string[];
  /** How long it took. */
  readonly ms?: number;
}

export const itemsOf = ({ checks, rules, operations }: Judged): Item[] => [
  ...checks.map(({ description, verdict, reason }) => ({
    kind: 'check' as const,
    name: description,
    verdict,
    messages: [reason],
    advice: [],
  })),
  ...rules.map(({ id, description, verdict, reason }) => ({
    kind: 'rule' as const,
    name: description ?? `rule ${id}`,
    verdict,
    messages: [reason],
    advice: [],
  })),
  ...operations.map(({ call, key, verdict, findings, attempts }) => ({
    kind: 'operation' as const,
    name: titleOf({ call, key }),
    verdict,
    messages: findings.filter(({ weight }) => weight !== 'remark').map(({ rule, message }) => `${rule}: ${message}`),
    advice: [...new Set(findings.filter(({ weight }) => weight !== 'remark').map(({ advice }) => advice))],
    ms: Math.max(0, ...attempts.map(({ startedAt, ms }) => startedAt + (ms ?? 0))),
  })),
];

/** What asks for a look, the worst first; and what is well. */
export const splitItems = (items: readonly Item[]): { readonly others: Item[]; readonly passed: Item[] } => ({
  others: [...items.filter(isOf('FAIL')), ...items.filter(isOf('INCONCLUSIVE'))],
  passed: items.filter(isOf('PASS')),
});

const isOf =
  (word: Word) =>
  ({ verdict }: Item): boolean =>
    verdict === word;

export const marks: Readonly<Record<Word, string>> = { PASS: '✓', FAIL: '✗', INCONCLUSIVE: '?' };

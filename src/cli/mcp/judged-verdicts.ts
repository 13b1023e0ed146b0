/** Keeps the verdicts that tools returned, so that each finding can be explained by its id. */
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { levelMarks } from '../../format/timeline.ts';
import type { OperationJson } from '../../verdict/verdict-json.ts';
import type { Verdict } from '../../verdict/verdict.ts';

type FindingJson = OperationJson['findings'][number];

/** Describes a finding, with the operations that show it. */
export interface NotedFinding extends Pick<FindingJson, 'rule' | 'title' | 'message' | 'advice'> {
  readonly id: string;
  readonly level: FindingJson['level'];
  /** Holds what the rule rests on; none for what no rule of the verdict covers. */
  readonly basis?: FindingJson['basis'] | undefined;
  readonly endpoint: string | null;
  readonly operations: readonly OperationJson[];
  /** Holds the text of a scenario file that shows it, and its faults in words. */
  readonly scenario?: string | undefined;
  readonly faults?: readonly string[] | undefined;
}

/** Limits the verdicts that are kept, the latest of all. */
const maxKept = 100;

export class JudgedVerdicts {
  readonly #findings = new Map<string, readonly NotedFinding[]>();
  #count = 0;

  /** Keeps the findings of a verdict, those of one kind as one, and returns them with their ids. */
  note(verdicts: readonly Verdict[]): NotedFinding[] {
    const operations = verdicts.flatMap((verdict) => verdict.operations);
    return this.noteAll(findingsIn(operations));
  }

  /** Keeps findings that were put together elsewhere, and returns them with their ids. */
  noteAll(found: readonly Omit<NotedFinding, 'id'>[]): NotedFinding[] {
    const verdict = `v${++this.#count}`;
    const noted = found.map((one, i) => ({ ...one, id: `${verdict}/${i + 1}` }));
    this.#findings.set(verdict, noted);
    const [oldest] = this.#findings.keys();
    if (this.#findings.size > maxKept && oldest !== undefined) this.#findings.delete(oldest);
    return noted;
  }

  /** Returns a finding by its id. Throws `InputError` that names those there are. */
  find(id: string): NotedFinding {
    const [verdict = ''] = id.split('/');
    const noted = this.#findings.get(verdict) ?? [];
    const finding = noted.find((one) => one.id === id);
    if (finding) return finding;
    const last = [...this.#findings.values()].at(-1) ?? [];
    const ids = (noted.length > 0 ? noted : last).map((one) => one.id);
    const known = didYouMean(id, ids) || (ids.length > 0 ? `; there are ${ids.slice(0, 20).join(', ')}` : '');
    throw new InputError(
      `finding: there is no "${id}"${known || '; get_verdict, run_client, explore_client and check_conformance return ids of findings'}`,
    );
  }
}

const ranks = { fail: 0, inconclusive: 1, note: 2 } as const;

/** Returns the findings of operations, the worst first, and one for all that say the same of an endpoint. */
export function findingsIn(operations: readonly OperationJson[]): Omit<NotedFinding, 'id'>[] {
  const found = new Map<string, Omit<NotedFinding, 'id'> & { readonly operations: OperationJson[] }>();
  for (const operation of operations) {
    for (const { rule, title, level, message, advice, basis } of operation.findings) {
      const name = [rule, level, operation.endpoint ?? operation.requestLine, message].join(' ');
      const known = found.get(name);
      if (known) known.operations.push(operation);
      else
        found.set(name, {
          rule,
          title,
          level,
          message,
          advice,
          basis,
          endpoint: operation.endpoint,
          operations: [operation],
        });
    }
  }
  return [...found.values()].toSorted((a, b) => ranks[a.level] - ranks[b.level]);
}

/** Returns a finding as data, without its operations: explain_finding has those. */
export const serializeNoted = ({ operations, scenario: _scenario, basis: _basis, ...finding }: NotedFinding) => ({
  ...finding,
  operations: operations.length,
});

/** Limits the findings that are listed. */
const maxListed = 20;

/** Returns lines that name each finding, its rule and its advice. */
export const formatNoted = (findings: readonly NotedFinding[]): string[] => [
  ...findings
    .slice(0, maxListed)
    .flatMap(({ id, rule, level, endpoint, message, advice, operations }) => [
      `${levelMarks[level]} finding ${id}: ${rule}${endpoint === null || endpoint === '' ? '' : ` at ${endpoint}`}: ${message}${operations.length > 1 ? ` (${operations.length} operations)` : ''}`,
      ...(level === 'note' ? [] : [`  → ${advice}`]),
    ]),
  ...(findings.length > maxListed ? [`… and ${findings.length - maxListed} more findings`] : []),
];

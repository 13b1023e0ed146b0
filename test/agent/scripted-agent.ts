/**
 * A programmer without any knowledge of the simulator: runs the till by the tools, reads what they say of a finding, makes the edit
 * whose sentence has most in common with that, and runs the till again. It knows neither the till's defect nor what an edit is good for.
 */
import type { Agent } from '../support/agent.ts';
import { edits } from './edits.ts';
import type { Edit } from './edits.ts';

/** A till that an agent may change. */
export interface Workplace {
  readonly read: () => string;
  readonly write: (source: string) => void;
  readonly command: readonly string[];
  /** What goes wrong while the till works, and what it declares. */
  readonly scenario: object;
}

export interface Mended {
  readonly isMended: boolean;
  /** What was done, in order: rules that failed, and edits. */
  readonly steps: readonly string[];
  /** Counts the changes that were tried. */
  readonly changes: number;
}

interface Finding {
  readonly id: string;
  readonly rule: string;
  readonly level: string;
  readonly operations: number;
}

interface AgentOptions {
  /** What of a finding the agent reads: all that says something, unless given. With nothing it tries the edits as they are listed. */
  readonly reads?: readonly ('title' | 'message' | 'advice')[];
}

/** Limits the changes that are tried, and the places that are looked at: as many as a programmer has patience for. */
const [mostChanges, mostLooks] = [3, 4];

/** Runs the till and changes it, until it passes or nothing is left to try. */
export async function mend(agent: Agent, till: Workplace, options: AgentOptions = {}): Promise<Mended> {
  const steps: string[] = [];
  const tried = new Set<Edit>();
  let changes = 0;
  let kept = { source: till.read(), weight: Infinity };
  for (;;) {
    const { data, text } = await agent.call('run_client', { command: till.command, scenario: till.scenario });
    if (data?.verdict === 'PASS' && data.exitCode === 0) return { isMended: true, steps, changes };
    const findings = failures(data);
    const weight = data?.exitCode === 0 ? weightOf(findings) : Infinity;
    steps.push(findings.map(({ rule }) => rule).join(' ') || text.slice(0, 200));
    // A change that made nothing better is taken back.
    if (weight < kept.weight || changes === 0) kept = { source: till.read(), weight };
    const order = await inOrder(agent, findings, options);
    let next = kept.source;
    while (next === kept.source) {
      const edit = order.find((one) => !tried.has(one));
      if (edit === undefined || changes === mostChanges || tried.size === mostLooks)
        return { isMended: false, steps, changes };
      tried.add(edit);
      // What the till does already is looked at, and left.
      next = edit.apply(kept.source);
      steps.push(`${next === kept.source ? 'does already: ' : ''}${edit.does}`);
    }
    changes++;
    till.write(next);
  }
}

const failures = (
  data: { readonly runs: readonly { readonly findings: readonly Finding[] }[] } | undefined,
): Finding[] => (data?.runs ?? []).flatMap((run) => run.findings).filter(({ level }) => level !== 'note');

const weightOf = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { operations }) => sum + operations, 0);

/** Returns the edits, those first that have most in common with what is said of the first finding. */
async function inOrder(
  agent: Agent,
  findings: readonly Finding[],
  { reads = ['title', 'message', 'advice'] }: AgentOptions,
): Promise<readonly Edit[]> {
  const [finding] = findings;
  if (finding === undefined || reads.length === 0) return edits;
  const { data } = await agent.call('explain_finding', { finding: finding.id });
  const said = wordsOf(reads.map((part) => data[part]).join(' '));
  return edits
    .map((edit) => ({ edit, likeness: likeness(said, wordsOf(edit.does)) }))
    .filter((one) => one.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ edit }) => edit);
}

/** Reduces a text to its words: `attempts` and `attempt` are one. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
      .filter((word) => word.length > 2)
      .map((word) => word.replace(/(?:ed|es|s)$/, '')),
  );

const allWords = edits.map(({ does }) => wordsOf(does));

/** Weighs a word by how few of the edits have it. */
const weightOfWord = (word: string): number =>
  Math.log(edits.length / Math.max(1, allWords.filter((words) => words.has(word)).length));

/** Compares two texts by their words, as a search engine does: the cosine of what they share. */
function likeness(left: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = squared([...other].filter((word) => left.has(word)));
  return shared / Math.max(1e-9, Math.sqrt(squared([...left]) * squared([...other])));
}

const squared = (words: readonly string[]): number => words.reduce((sum, word) => sum + weightOfWord(word) ** 2, 0);

/** Describes an exploration as the page shows it, whether it goes on, has ended, or comes from a file. */
import type { LiveExplorationJson } from '../api/api-types.ts';
import { pluralize } from '../ui/elements.ts';

export interface ShownPoint {
  readonly id: string;
  readonly status: string;
  readonly phase: string;
  readonly run?: number | undefined;
  readonly witness?: string | undefined;
  readonly reason?: string | undefined;
  /** Names the tenant of its run, while there is one. */
  readonly tenant?: string | undefined;
}

export interface ShownFinding {
  readonly id: string;
  readonly name: string;
  readonly message: string;
  readonly advice: string;
  readonly faults: readonly string[];
  readonly points: readonly string[];
  readonly isShrunk: boolean;
  readonly tenant?: string | undefined;
}

export interface ShownExploration {
  readonly word: string;
  readonly reason: string;
  readonly points: readonly ShownPoint[];
  readonly findings: readonly ShownFinding[];
  readonly running: readonly { readonly run: number; readonly title: string; readonly tenant: string }[];
}

const stages = {
  learning: 'Learning: your client runs without faults',
  exploring: 'Exploring',
  shrinking: 'Shrinking what was found',
  varying: 'Varying assumptions',
  ended: 'Ended',
} as const;

/** Returns what the control API tells of an exploration. */
export function shownLive({ stage, verdict, reason, requests, runs, ...live }: LiveExplorationJson): ShownExploration {
  const counts = `${pluralize(runs, 'run')}; without faults your client sends ${pluralize(requests, 'request')}`;
  return {
    ...live,
    word: verdict ?? stages[stage],
    reason: `${reason === null ? '' : `${reason}: `}${counts}`,
    findings: live.findings.map(({ rule, endpoint, title, shrunk, tenant, ...finding }) => ({
      ...finding,
      name: `${rule} ${endpoint || title}`,
      isShrunk: shrunk,
      ...(tenant !== null && { tenant }),
    })),
  };
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one) ?? []);

const isPoint = (value: unknown): value is Json & ShownPoint =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['status'] === 'string';

const pointOf = ({ id, status, phase, run, witness, reason }: Json & ShownPoint): ShownPoint => ({
  id,
  status,
  phase: textOf(phase) ?? '',
  ...(typeof run === 'number' && { run }),
  witness: textOf(witness),
  reason: textOf(reason),
});

function findingOf(finding: Json): ShownFinding {
  const name = `${textOf(finding['rule']) ?? ''} ${textOf(finding['endpoint']) || (textOf(finding['title']) ?? '')}`;
  return {
    id: name,
    name,
    message: textOf(finding['message']) ?? '',
    advice: textOf(finding['advice']) ?? '',
    faults: textsOf(finding['faults']),
    points: textsOf(finding['points']),
    isShrunk: true,
  };
}

/** Reads the text of an explore.json. Throws an error that says what is wrong with it. */
export function readExploration(text: string, name: string): ShownExploration {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: is not JSON (${why})`, { cause: error });
  }
  const points: unknown = isObject(json) ? json['points'] : undefined;
  if (!isObject(json) || !Array.isArray(points) || !points.every(isPoint))
    throw new Error(`${name}: has no points; expected the explore.json that loyalty-sim explore writes`);
  return {
    word: textOf(json['verdict']) ?? '',
    reason: textOf(json['reason']) ?? '',
    points: points.map(pointOf),
    findings: listOf(json['findings']).filter(isObject).map(findingOf),
    running: [],
  };
}

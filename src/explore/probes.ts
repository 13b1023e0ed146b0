/** Lists the faults that are tried at the requests of a client. */
import type { RetryClass } from '../core/exchange/endpoint.ts';
import type { RuleInput } from '../faults/rule-schema.ts';
import type { WebhookRuleInput } from '../scenario/webhook-rule-schema.ts';

/**
 * `status`, `lost`, `cut` and `hang` have to be repeated; `throttled` and `unavailable` may be; `rejected` must not. The
 * others are about webhooks.
 */
export type ProbeKind =
  | ('status' | 'lost' | 'cut' | 'hang' | 'throttled' | 'unavailable' | 'rejected')
  | ('twice' | 'late' | 'reordered' | 'redelivered');

/** Describes what goes wrong with one request or one webhook. */
interface Incident {
  /** Names it in points and reports: `504-after`. */
  readonly id: string;
  /** Continues a sentence that begins with the request. */
  readonly says: string;
  readonly kind: ProbeKind;
  /** Names the faults that ask less of a client: a finding is shrunk to one of them where that shows it too. */
  readonly weaker: readonly string[];
}

/** Describes one fault, as it hits one request. */
export interface Probe extends Incident {
  readonly phase: 'before' | 'after';
  readonly fault: Exclude<RuleInput['fault'], readonly unknown[]>;
  /** Names the fault that a client cannot tell from it, and that is tried in its place. */
  readonly twin?: string;
}

/** Describes one way in which a webhook comes otherwise than it should. */
export interface Schedule extends Incident {
  readonly phase: 'webhook';
  readonly fault: Exclude<WebhookRuleInput['fault'], readonly unknown[]>;
}

/** Lists them in the order in which they are tried: those that find most come first. */
export const probes: readonly Probe[] = [
  {
    id: 'lost-after',
    says: 'is reset; it was done',
    kind: 'lost',
    phase: 'after',
    fault: { phase: 'after', respond: 'none', end: 'reset' },
    weaker: ['504-after', 'lost-before'],
  },
  { id: '504', says: 'gets status 504; nothing was done', kind: 'status', phase: 'before', fault: '504', weaker: [] },
  {
    id: '504-after',
    says: 'gets status 504; it was done',
    kind: 'status',
    phase: 'after',
    fault: { phase: 'after', status: 504 },
    weaker: ['504'],
  },
  {
    id: 'lost-before',
    says: 'is reset; nothing was done',
    kind: 'lost',
    phase: 'before',
    fault: { respond: 'none', end: 'reset' },
    weaker: ['504'],
  },
  {
    id: 'cut',
    says: 'gets half of its response; it was done',
    kind: 'cut',
    phase: 'after',
    fault: { phase: 'after', respond: 'partial', end: 'close' },
    weaker: ['lost-after'],
  },
  { id: '500', says: 'gets status 500; nothing was done', kind: 'status', phase: 'before', fault: '500', weaker: [] },
  {
    id: '429',
    says: 'gets status 429 with Retry-After: 1',
    kind: 'throttled',
    phase: 'before',
    fault: { status: 429, headers: { 'Retry-After': '1' } },
    weaker: [],
  },
  {
    id: '503',
    says: 'gets status 503; nothing was done',
    kind: 'unavailable',
    phase: 'before',
    fault: '503',
    weaker: [],
  },
  {
    id: '503-later',
    says: 'gets status 503 with Retry-After: 1',
    kind: 'throttled',
    phase: 'before',
    fault: { status: 503, headers: { 'Retry-After': '1' } },
    weaker: ['503'],
  },
  {
    id: 'hang-after',
    says: 'never gets a response; it was done',
    kind: 'hang',
    phase: 'after',
    fault: { phase: 'after', respond: 'none', end: 'hang' },
    weaker: ['lost-after', 'hang-before'],
  },
  { id: '400', says: 'gets status 400', kind: 'rejected', phase: 'before', fault: '400', weaker: [] },
  { id: '404', says: 'gets status 404', kind: 'rejected', phase: 'before', fault: '404', weaker: [] },
  {
    id: '500-after',
    says: 'gets status 500; it was done',
    kind: 'status',
    phase: 'after',
    fault: { phase: 'after', status: 500 },
    weaker: ['500'],
    twin: '504-after',
  },
  {
    id: 'closed-before',
    says: 'gets no response; nothing was done',
    kind: 'lost',
    phase: 'before',
    fault: { respond: 'none', end: 'close' },
    weaker: ['504'],
    twin: 'lost-before',
  },
  {
    id: 'closed-after',
    says: 'gets no response; it was done',
    kind: 'lost',
    phase: 'after',
    fault: { phase: 'after', respond: 'none', end: 'close' },
    weaker: ['504-after', 'closed-before'],
    twin: 'lost-after',
  },
  {
    id: 'hang-before',
    says: 'never gets a response; nothing was done',
    kind: 'hang',
    phase: 'before',
    fault: { respond: 'none', end: 'hang' },
    weaker: ['lost-before'],
    twin: 'hang-after',
  },
];

/** Lists the schedules that are tried at webhooks. */
export const schedules: readonly Schedule[] = [
  { id: 'twice', says: 'is delivered twice', kind: 'twice', phase: 'webhook', fault: 'duplicate', weaker: [] },
  {
    id: 'redelivered',
    says: 'is lost, and delivered again 5 s later',
    kind: 'redelivered',
    phase: 'webhook',
    fault: 'drop',
    weaker: [],
  },
  {
    id: 'reordered',
    says: 'is delivered after the next one',
    kind: 'reordered',
    phase: 'webhook',
    fault: 'reorder',
    weaker: [],
  },
  { id: 'late', says: 'is delivered 10 s late', kind: 'late', phase: 'webhook', fault: { delay: '10s' }, weaker: [] },
];

const byId: ReadonlyMap<string, Probe> = new Map(probes.map((probe) => [probe.id, probe]));
const scheduleById: ReadonlyMap<string, Schedule> = new Map(schedules.map((schedule) => [schedule.id, schedule]));

export function probeOf(id: string): Probe {
  const probe = byId.get(id);
  if (probe) return probe;
  throw new Error(`there is no fault called ${id}`);
}

/** True for a fault that leaves a request without an end; the rules of a scenario have names of their own. */
export const leavesHanging = (id: string): boolean => byId.get(id)?.kind === 'hang';

/** True for what hits a webhook; any other name is that of a fault of a request, also of one that only a scenario has. */
export const isOfWebhook = ({ probe }: { readonly probe: string }): boolean => scheduleById.has(probe);

/** Returns what hits a request or a webhook. */
export const incidentOf = (id: string): Probe | Schedule => scheduleById.get(id) ?? probeOf(id);

/** Names, for each fault of phase `after`, the same fault before the work: a read cannot tell the two apart. */
const beforeTwins: Readonly<Record<string, string>> = {
  'lost-after': 'lost-before',
  '504-after': '504',
  '500-after': '500',
  'closed-after': 'closed-before',
  'hang-after': 'hang-before',
};

/** Returns the fault that stands for this one at requests of a class; itself when nothing does. */
export function standInFor(probe: Probe, retry: RetryClass): Probe {
  if (retry !== 'safe') return probe.twin === undefined ? probe : probeOf(probe.twin);
  const before = beforeTwins[probe.id];
  if (before !== undefined) return standInFor(probeOf(before), retry);
  // A read that hangs is the same in both phases; the one before the work needs no stand-in.
  return probe.twin === undefined || probe.kind === 'hang' ? probe : probeOf(probe.twin);
}

/** Lists the kinds after which a client has to come through with the same state as without any fault. */
const recoverable: ReadonlySet<ProbeKind> = new Set([
  ...(['status', 'lost', 'cut', 'hang'] as const),
  ...schedules.map(({ kind }) => kind),
]);

/** True for a fault that a client has to recover from by itself: of a request, or of a webhook. */
export const isRecoverable = ({ kind }: Probe | Schedule): boolean => recoverable.has(kind);

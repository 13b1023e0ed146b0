/**
 * Lists defects of a write-ahead queue that only a restart shows: all are one program, queues/till.mjs, which gets the
 * defect as its argument, and is started again with the same files after it was killed.
 */
import type { ExploredClient } from './tills.ts';
import { carefulPolicy } from './tills.ts';

/** Says when the client's process group is killed, in relation to one request. */
export interface KillMoment {
  readonly endpoint: string;
  /** Counts the requests to the endpoint, from 1. */
  readonly occurrence: number;
  /** `before`: before the service did its work; `work`: after it, before the response; `response`: right after the response. */
  readonly at: 'before' | 'work' | 'response';
}

/** Is a client with a queue on disk that loses or doubles something when it is killed and started again. */
export interface WrongQueue extends ExploredClient {
  readonly defect: string;
  /** Lists the rules by which that may be found; the first is the one meant. `state` is a difference to the run without faults. */
  readonly rules: readonly string[];
  readonly also?: readonly string[];
  readonly why: string;
  readonly hidden: string;
  /** Lists kills each of which must show it. */
  readonly kills: readonly KillMoment[];
}

type Planted = Omit<WrongQueue, keyof ExploredClient> & { readonly name: string };

const kill = (endpoint: string, occurrence: number, at: KillMoment['at']): KillMoment => ({ endpoint, occurrence, at });

const planted: readonly Planted[] = [
  {
    name: 'no-write-ahead',
    defect: 'stores a request only after it was given up',
    rules: ['R13', 'state'],
    also: ['R1', 'R9'],
    why: 'What is in flight when the till dies is nowhere but in memory.',
    hidden: 'any write that is killed before its response',
    kills: [kill('createReceipt', 1, 'before'), kill('updateContact', 3, 'before')],
  },
  {
    name: 'done-before-send',
    defect: 'marks a request as done before it is sent',
    rules: ['R13', 'state'],
    also: ['R1', 'R9'],
    why: 'After the restart it counts as done, though the service never saw it.',
    hidden: 'a kill before the service did its work',
    kills: [kill('createReceipt', 2, 'before')],
  },
  {
    name: 'damaged-file',
    defect: 'throws the queue away when its last line is torn',
    rules: ['R13', 'state'],
    also: ['R1', 'R9'],
    why: 'All that waited is lost with the one line that was half written.',
    hidden: 'a kill while a request is in flight, since its line is finished after the response',
    kills: [kill('createReceipt', 2, 'work')],
  },
  {
    name: 'half-written',
    defect: 'skips a half-written line, but counts it as a sale',
    rules: ['state', 'R13'],
    also: ['R1'],
    why: 'The customer whose line was torn is never served.',
    hidden: 'a kill at the lookup of a customer, which nothing in the requests tells',
    kills: [kill('getContactId', 2, 'before')],
  },
  {
    name: 'two-processes',
    defect: 'delivers its queue by two processes at once',
    rules: ['R14', 'R10', 'R8', 'state'],
    also: ['R2', 'R9', 'R11'],
    why: 'Both see that the points are missing, and both add them.',
    hidden: 'only points without a key that wait when the till starts',
    kills: [kill('addPointTransactions', 2, 'before')],
  },
  {
    name: 'key-at-start',
    defect: 'gives the receipts in its queue new keys when it starts',
    rules: ['R14', 'R10', 'R5'],
    also: ['R4', 'state'],
    why: 'A receipt that took effect before the kill is another one after it.',
    hidden: 'a kill after the work on a receipt',
    kills: [kill('createReceipt', 1, 'work')],
  },
  {
    name: 'reversed',
    defect: 'delivers the newest first after a restart',
    rules: ['R16', 'R9', 'state'],
    why: 'The older address is delivered last and stays.',
    hidden: 'two changes of one customer that both wait',
    kills: [kill('updateContact', 1, 'before')],
  },
  {
    name: 'never-sent',
    defect: 'reads its queue at start only to number what comes',
    rules: ['R13', 'state'],
    also: ['R1', 'R9'],
    why: 'What waited is on disk and stays there.',
    hidden: 'anything that waits at a restart',
    kills: [kill('createReceipt', 1, 'before')],
  },
  {
    name: 'twice',
    defect: 'delivers an open sale from its queue, and sells it again',
    rules: ['R14', 'R10', 'state'],
    also: ['R2', 'R5', 'R9'],
    why: 'A sale counts as sold only when all of it is delivered.',
    hidden: 'a sale that is open at a restart',
    kills: [kill('createReceipt', 1, 'before'), kill('addPointTransactions', 1, 'work')],
  },
  {
    name: 'counter-in-memory',
    defect: 'counts its receipt numbers from 1 after each start',
    rules: ['state', 'R13', 'R4'],
    also: ['R2', 'R5', 'R14'],
    why: 'The service has seen the number, and ignores the new receipt.',
    hidden: 'a receipt that is sold after a restart, when others were sold before',
    kills: [kill('createReceipt', 2, 'before')],
  },
  {
    name: 'truncates',
    defect: 'rewrites its queue in place, and empties it before it looks up the customer',
    rules: ['state', 'R13'],
    why: 'A rename of a finished file would have kept the old one.',
    hidden: 'a kill at a lookup, when points and addresses of former customers wait',
    kills: [kill('getContactId', 2, 'before'), kill('getContactId', 3, 'response')],
  },
  {
    name: 'saves-at-exit',
    defect: 'saves its queue when it ends',
    rules: ['R13', 'state'],
    also: ['R1', 'R9'],
    why: 'A process that is killed does not get there.',
    hidden: 'any kill, as a clean end saves all',
    kills: [kill('createReceipt', 1, 'before')],
  },
  {
    name: 'cursor-first',
    defect: 'notes that it serves a customer before the sale is stored',
    rules: ['state', 'R13'],
    also: ['R1'],
    why: 'After the restart it goes on with the next customer.',
    hidden: 'a kill at a lookup',
    kills: [kill('getContactId', 2, 'before')],
  },
  {
    name: 'lean-entries',
    defect: 'stores a bulk of points without its Idempotency-Key',
    rules: ['R14', 'R10', 'R5', 'state'],
    also: ['R11', 'R4'],
    why: 'The queue forgets headers, so that the bulk is added again after the restart.',
    hidden: 'a kill after the work on the first bulk',
    kills: [kill('addPointTransactions', 1, 'work')],
  },
  {
    name: 'no-look',
    defect: 'takes what it finds in its queue for never sent',
    rules: ['R14', 'R10', 'R11'],
    also: ['state'],
    why: 'Points without a key, and checkpoints, are added again.',
    hidden: 'a kill after the work on a write without a key',
    kills: [kill('addPointTransactions', 2, 'work'), kill('awardCheckpoints', 1, 'work')],
  },
  {
    name: 'baseline-at-start',
    defect: 'counts the checkpoints there are at each start, not before it sends one',
    rules: ['R14', 'R10', 'state'],
    why: 'The count holds the lost checkpoint already, so nothing seems to have changed.',
    hidden: 'a kill after the work on the checkpoint',
    kills: [kill('awardCheckpoints', 1, 'work')],
  },
  {
    name: 'stale-lock',
    defect: 'leaves the queue alone when it finds the lock file of the process that was killed',
    rules: ['R13', 'state'],
    also: ['R1', 'R9'],
    why: 'It believes that another process delivers.',
    hidden: 'any kill while something waits',
    kills: [kill('createReceipt', 1, 'before')],
  },
];

const shared = { language: 'JavaScript', file: 'queues/till.mjs', calls: 15, policy: carefulPolicy } as const;

/** Holds the till without a defect: whenever it is killed, nothing is lost or doubled. */
export const rightQueue: ExploredClient = { ...shared, name: 'journal-till', args: ['none'] };

export const wrongQueues: readonly WrongQueue[] = planted.map((one) => ({ ...shared, args: [one.name], ...one }));

import type { Instant } from './clock.ts';
import type { Table } from '../state/state.ts';

/** Describes work that was accepted and is done later: plain data, carried out by the handler of its kind. */
export interface Job {
  /** Grows with every job, so that jobs due at the same moment run in the order they came. */
  readonly id: string;
  readonly kind: string;
  readonly dueAt: Instant;
  readonly createdAt: Instant;
  /** Holds the exchange that asked for it. */
  readonly exchange: string | undefined;
  readonly payload: unknown;
  readonly status: 'queued' | 'failed';
  readonly error?: string;
  /** Names the rule by whose fault it will fail, whatever it is about. */
  readonly failsBy?: string | undefined;
  /** Counts the jobs that led to it without time going by, each of which asked for the next; absent for none. */
  readonly chain?: number | undefined;
}

export const jobs: Table<Job> = {
  name: 'jobs',
  scope: 'queue',
  key: (job) => job.id,
  lists: { byStatus: (job) => ({ of: job.status, order: job.dueAt }) },
  timestampFields: ['createdAt', 'dueAt'],
};

/**
 * Holds what time itself brings, such as points that expire: by its key, done at its moment whatever becomes of the
 * queue, and part of the state that it follows from.
 */
export const timers: Table<Job> = {
  name: 'timers',
  scope: 'state',
  key: (timer) => timer.id,
  lists: { byMoment: (timer) => ({ of: 'all', order: timer.dueAt }) },
  timestampFields: ['createdAt', 'dueAt'],
};

/** Schedules a job for a moment; scheduling the same key again replaces it. */
export interface TimerOptions extends Pick<Job, 'kind' | 'dueAt' | 'payload'> {
  readonly key: string;
}

export const timerJob = ({ key, kind, dueAt, payload }: TimerOptions, createdAt: Instant): Job => ({
  id: key,
  kind,
  dueAt,
  createdAt,
  exchange: undefined,
  payload,
  status: 'queued',
});

/** Estimates by how much the journal has grown since it was judged. */
import type { Verdict } from '../api/api-types.ts';
import type { ReceivedEvent } from '../api/event-stream.ts';

/** A verdict on fewer requests takes as long as one on so many: most of its time is the way there and back. */
const leastRequests = 300;

/** Holds how many requests were judged, and how many have come since. */
export interface JournalGrowth {
  readonly noteVerdict: (judged: Pick<Verdict, 'requests' | 'evicted'>) => void;
  readonly noteEvent: (event: ReceivedEvent) => void;
  /** Returns how many times as many requests there are now. */
  readonly factor: () => number;
}

export function createJournalGrowth(): JournalGrowth {
  let judged = leastRequests;
  let arrived = 0;
  let isFull = false;
  return {
    noteVerdict: ({ requests, evicted }) => {
      judged = Math.max(requests, leastRequests);
      arrived = 0;
      isFull = evicted > 0;
    },
    noteEvent: ({ event, count }) => {
      if (event === 'request.completed') arrived += count;
    },
    // A full journal grows no more: the oldest requests make room.
    factor: () => (isFull ? 1 : (judged + arrived) / judged),
  };
}

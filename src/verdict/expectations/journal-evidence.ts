/** Reads a tenant's journal: its requests as rules match them, and the number of dropped ones. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { IndexInSteps } from '../../core/time/index-in-steps.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { JournaledRequest, RequestView } from '../../matching/request-view.ts';
import { countWarnings } from '../warnings.ts';
import type { WarningCount } from '../warnings.ts';
import { RequestIndex } from './request-index.ts';

export interface MatchedRequests {
  readonly found: readonly RequestView[];
  /** Lists the ids of the requests that are found. */
  readonly ids: string[];
  /** Lists the requests in flight that may match when they are over. */
  readonly open: readonly RequestView[];
  /** Lists those of which it is not known, as one of their texts is too long for its pattern. */
  readonly undecided: readonly RequestView[];
}

export interface JournalEvidence {
  readonly tenant: Tenant;
  /** Lists the requests, the oldest first. */
  readonly calls: readonly RequestView[];
  readonly index: RequestIndex;
  /** Holds the results of earlier searches, by pattern. */
  readonly matchCache: Map<string, IndexInSteps<MatchedRequests>>;
  /** Counts the warnings by their codes. */
  readonly warnings: readonly WarningCount[];
  /** Counts the requests that the journal holds. */
  readonly size: number;
  readonly evicted: number;
}

export function collectEvidence(tenant: Tenant): JournalEvidence {
  const exchanges = tenant.journal.toArray();
  // Most verdicts search for no request.
  const calls = new IndexInSteps(() => viewsOf(exchanges, tenant));
  const index = new IndexInSteps(() => RequestIndex.of(calls.value));
  const warnings = new IndexInSteps(() => countWarnings(exchanges));
  return {
    tenant,
    get calls() {
      return calls.value;
    },
    get index() {
      return index.value;
    },
    matchCache: new Map(),
    get warnings() {
      return warnings.value;
    },
    size: exchanges.length,
    evicted: tenant.journal.evicted,
  };
}

function* viewsOf(exchanges: readonly Exchange[], tenant: Tenant): Steps<RequestView[]> {
  const views: RequestView[] = [];
  yield* forEachInSteps(exchanges, (one) => void views.push(new RequestView(new JournaledRequest(one), tenant)));
  return views;
}

/** True when the client has received all that it will receive. */
export const isCompleted = ({ call: { exchange } }: RequestView): boolean => exchange.finishedAt !== undefined;

export const requestId = ({ call: { exchange } }: RequestView): string => exchange.id;

const maxListed = 10;

/** Lists ids, of many only the first: `default-4, default-7`. */
export function listIds(requests: readonly RequestView[]): string {
  const ids = requests.slice(0, maxListed).map(requestId).join(', ');
  return requests.length > maxListed ? `${ids} and ${requests.length - maxListed} more` : ids;
}

import type { Endpoint } from '../core/exchange/endpoint.ts';
import type { JobHandlers } from '../core/time/scheduler.ts';
import { fromResources } from './resources.ts';

/** Lists the endpoints of the service. */
export const endpoints: readonly Endpoint[] = fromResources((noun) => noun.endpoints);

/** Holds the handlers of queued work and timers by kind. */
export const jobHandlers: JobHandlers = Object.fromEntries(fromResources(({ jobs }) => jobs && Object.entries(jobs)));

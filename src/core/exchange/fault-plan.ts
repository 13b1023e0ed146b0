import type { TenantContext } from '../tenant/context.ts';
import type { Steps } from '../time/steps.ts';
import type { Exchange } from './exchange.ts';
import type { InjectedFault } from './fault.ts';

/** Describes a call as a plan of faults sees it. */
export interface MatchableRequest {
  readonly exchange: Exchange;
  /** Holds the id of the endpoint that serves it, if one does. */
  readonly endpoint: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** Holds the request's body parsed; undefined when there is none, or it isn't JSON. */
  readonly body: unknown;
}

/** Selects faults for requests of one method to one endpoint, or to none. */
export interface FaultSelector {
  /** True when the decision needs the body. */
  readonly readsBody: boolean;
  /** True when texts are searched to decide, which may take long. */
  readonly isSearch: boolean;
  /** Returns the fault for a call, if any; counts the call, and notes near misses with its exchange. */
  readonly selectFault: (call: MatchableRequest, tenant: TenantContext) => InjectedFault | undefined;
  /** Does as `selectFault`: what takes long, as it does for a long body, is found out in steps. */
  readonly selectFaultInSteps: (call: MatchableRequest, tenant: TenantContext) => Steps<InjectedFault | undefined>;
}

/** Selects the faults of a tenant. */
export interface FaultPlan {
  /** Returns undefined when there is nothing to say about such requests. */
  readonly selectorFor: (method: string, endpoint: string | undefined) => FaultSelector | undefined;
  /** Starts counting again, and drops the rules that were added while running. */
  readonly reset: () => void;
}

export const noFaults: FaultPlan = { selectorFor: () => undefined, reset: () => {} };

/** Says when a fault hits: `before` the service has done anything, or `after` its work, of which the client doesn't learn. */
export type FaultPhase = 'before' | 'after';

/** Says how the connection ends: kept or closed as usual, a clean close, a TCP reset, or nothing ever more. */
export type ConnectionEnd = 'normal' | 'close' | 'reset' | 'hang';

/** Holds a length of time in ms, or how one is drawn. */
export type Distribution =
  | { readonly fixed: number }
  | { readonly uniform: readonly [min: number, max: number] }
  | { readonly lognormal: { readonly median: number; readonly p99: number } };

export interface FaultDelay {
  readonly distribution: Distribution;
  /** Holds the clock that it passes on: real time, or the tenant's. */
  readonly time: 'real' | 'virtual';
}

/** Says how the job that a request has enqueued goes wrong. */
export type JobFault = 'fail' | { readonly delay: number };

export interface Fault {
  readonly phase: FaultPhase;
  /** Names the kind of fault, which says how much of a response goes out. */
  readonly respond: string;
  readonly end: ConnectionEnd;
  /** Applies to `status`, and to what is begun in phase `before`: then there is no real response. */
  readonly status: number | undefined;
  /** Takes the place of the service's own error body: a text as it stands, anything else as JSON. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Holds the fields that only its kind has. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Passes before the work in phase `before`, and before the response in phase `after`. */
  readonly delay: FaultDelay | undefined;
  /** Sends the body in so many chunks, with an interval before each but the first. */
  readonly dribble: { readonly chunks: number; readonly interval: Distribution } | undefined;
  readonly job: JobFault | undefined;
}

/** Describes a fault that a rule has called for. Numbers that were drawn are drawn already. */
export interface InjectedFault {
  /** Holds the rule's id. */
  readonly rule: string;
  /** Counts how often the rule has fired, from 1. */
  readonly hit: number;
  readonly fault: Fault;
  /** Is drawn from the fault's own delay, in ms; 0 without one. */
  readonly delay: number;
  /** Holds the pause before each piece of a dribbled body but the first, in ms. */
  readonly chunkDelays: readonly number[];
}

/** Names a rule for this endpoint or path that did not fire, and says why. */
export interface NearMiss {
  readonly rule: string;
  readonly reason: string;
}

/** Records what was delivered where that differs from the whole response. */
export interface DeliveredResponse {
  /** Is undefined when not even the status line went out. */
  status: number | undefined;
  headers: Readonly<Record<string, string>>;
  /** Holds it as far as it went out as a text. */
  body: string | undefined;
  /** Counts the bytes of the body, or of garbage. */
  bytes: number;
  /** Is `client-aborted` when the client disconnected before the end. */
  end: ConnectionEnd | 'client-aborted';
  /**
   * Holds the real time in ms when the client could know how it ends, or disconnected: the connection may end later.
   */
  observableAt: number;
  /**
   * Holds the real time in ms until which the client of a hanging request waited, Infinity while it does, or undefined
   * for any other end.
   */
  heldUntil: number | undefined;
}

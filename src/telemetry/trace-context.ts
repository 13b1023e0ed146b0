/** Reads the W3C trace context of a request. */

export interface TraceContext {
  readonly traceId: string;
  /** Holds the id of the client's span. */
  readonly parentSpanId: string;
  /** Is false when the client does not record this trace. */
  readonly isSampled: boolean;
  /** Holds what tracing systems pass on, as it came. */
  readonly traceState: string | undefined;
}

/** A later version may have more fields after a hyphen. */
const traceparentPattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Returns the context that the headers carry; undefined without one, or with one that is invalid. */
export function traceContextOf(headers: Readonly<Record<string, string>>): TraceContext | undefined {
  const match = traceparentPattern.exec(headers['traceparent']?.trim() ?? '');
  if (!match) return undefined;
  const [, version, traceId = '', parentSpanId = '', flags = '', more] = match;
  if (version === '00' && more !== undefined) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, parentSpanId, isSampled, traceState: headers['tracestate'] };
}

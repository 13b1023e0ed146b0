/** Spans in the JSON encoding of OTLP, as collectors take them at `/v1/traces`. */

type AttributeValue = string | number | boolean | readonly string[];

/** Holds attributes by name; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface TraceSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly traceState?: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'client';
  /** Counts in ms since 1970, as all times of a span. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly at: number; readonly attributes: Attributes }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Says what went wrong, where something did. */
  readonly error?: string | undefined;
}

const kinds = { server: 2, client: 3 };
const failed = 2;
/** Says that the span was recorded, as all that are exported are. */
const sampled = 1;

const nanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

function valueOf(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object') return { arrayValue: { values: value.map(valueOf) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueOf(value) }]));

function encode({ kind, start, end, attributes, events = [], links = [], error, ...span }: TraceSpan): object {
  return {
    ...span,
    flags: sampled,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributesOf(attributes),
    events: events.map(({ name, at, attributes: own }) => ({
      timeUnixNano: nanoseconds(at),
      name,
      attributes: attributesOf(own),
    })),
    links: links.map((link) => ({ ...link, flags: sampled })),
    status: error === undefined ? {} : { code: failed, message: error },
  };
}

/** Returns the body of an export. */
export const encodeSpans = (spans: readonly TraceSpan[], version: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'loyalty-sim', 'service.version': version }) },
        scopeSpans: [{ scope: { name: 'loyalty-sim', version }, spans: spans.map(encode) }],
      },
    ],
  });

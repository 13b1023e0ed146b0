/** Describes requests and webhooks as spans, by OpenTelemetry's semantic conventions; what is ours begins with `loyalty_sim`. */
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Endpoint } from '../core/exchange/endpoint.ts';
import { redact } from '../core/exchange/redact.ts';
import type { WebhookAttempt, WebhookDelivery } from '../core/tenant/webhook-outbox.ts';
import { toTimestamp } from '../core/time/clock.ts';
import type { Attributes, TraceSpan } from './otlp.ts';
import type { TraceContext } from './trace-context.ts';

/** Names a span, to link another with it. */
export interface SpanId {
  readonly traceId: string;
  readonly spanId: string;
}

interface RequestSpan {
  readonly id: SpanId;
  readonly tenant: string;
  readonly exchange: Exchange;
  readonly endpoint: Endpoint | undefined;
  readonly context: TraceContext | undefined;
  /** Counts in ms since 1970 when the program's clock was at 0. */
  readonly epoch: number;
}

/** Returns how the response ended where it was not whole. */
const brokenEnd = ({ delivered }: Exchange): string | undefined =>
  delivered && delivered.end !== 'normal' ? delivered.end : undefined;

function faultAttributes({ fault }: Exchange): Attributes {
  if (!fault) return {};
  const { phase, respond, end } = fault.fault;
  return {
    'loyalty_sim.fault.rule': fault.rule,
    'loyalty_sim.fault.hit': fault.hit,
    'loyalty_sim.fault.phase': phase,
    'loyalty_sim.fault.respond': respond,
    'loyalty_sim.fault.end': end,
    ...(fault.delay > 0 && { 'loyalty_sim.fault.delay_ms': fault.delay }),
  };
}

function serverOf({ host = '' }: Readonly<Record<string, string>>): Attributes {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (!url || host === '') return {};
  return { 'server.address': url.hostname, 'server.port': Number(url.port === '' ? 80 : url.port) };
}

const connectionOf = ({ connection }: Exchange): Attributes =>
  connection
    ? {
        'client.port': connection.port,
        'network.protocol.version': connection.httpVersion,
        'loyalty_sim.connection.id': connection.id,
        'loyalty_sim.connection.request': connection.request,
      }
    : {};

/** Describes a request and its response. */
export function requestSpan({ id, tenant, exchange, endpoint, context, epoch }: RequestSpan): TraceSpan {
  const { method, path, request, status, response, sideEffects, startedAt, finishedAt, delivered } = exchange;
  const end = brokenEnd(exchange);
  const error = end ?? (status !== undefined && status >= 500 ? String(status) : undefined);
  const finished = epoch + (finishedAt ?? delivered?.observableAt ?? startedAt);
  const faulted = faultAttributes(exchange);
  const warnings = [...new Set(sideEffects.warnings.map(({ code }) => code))];
  return {
    ...id,
    parentSpanId: context?.parentSpanId,
    traceState: context?.traceState,
    // Without a route the method alone, as paths are too many.
    name: endpoint ? `${method} ${endpoint.path}` : method,
    kind: 'server',
    start: epoch + startedAt,
    end: finished,
    attributes: {
      'http.request.method': method,
      'url.scheme': 'http',
      'url.path': redact(path),
      'http.route': endpoint?.path,
      'http.response.status_code': status,
      'user_agent.original': request.headers['user-agent'],
      'error.type': error,
      ...serverOf(request.headers),
      ...connectionOf(exchange),
      'loyalty_sim.tenant': tenant,
      'loyalty_sim.request_id': exchange.id,
      'loyalty_sim.endpoint': exchange.endpoint,
      'loyalty_sim.retry_class': endpoint?.retry,
      'loyalty_sim.clock': toTimestamp(exchange.at),
      'loyalty_sim.changes': sideEffects.changes.length,
      ...(warnings.length > 0 && { 'loyalty_sim.warnings': warnings }),
      // What the service responded with, where the client got something else.
      ...(response && response.status !== status && { 'loyalty_sim.service_status_code': response.status }),
      ...(delivered && { 'loyalty_sim.delivered.end': delivered.end, 'loyalty_sim.delivered.bytes': delivered.bytes }),
      ...faulted,
    },
    events: exchange.fault
      ? [{ name: 'loyalty_sim.fault', at: delivered ? epoch + delivered.observableAt : finished, attributes: faulted }]
      : [],
    error: error === undefined ? undefined : end === undefined ? `status ${error}` : `the response ended with: ${end}`,
  };
}

interface WebhookSpan {
  readonly id: SpanId;
  readonly tenant: string;
  readonly delivery: WebhookDelivery;
  readonly attempt: WebhookAttempt;
  /** Holds the address that it was sent to. */
  readonly url: string;
  /** Counts in ms since 1970. */
  readonly end: number;
  /** Holds the span of the request that it came of. */
  readonly cause: SpanId | undefined;
}

/** Describes an attempt to deliver a webhook: a trace of its own, linked with the request that it came of. */
export function webhookSpan({ id, tenant, delivery, attempt, url, end, cause }: WebhookSpan): TraceSpan {
  const { hostname, port, protocol, pathname } = new URL(url);
  return {
    ...id,
    name: `POST webhook ${delivery.eventType}`,
    kind: 'client',
    start: end - attempt.ms,
    end,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': attempt.status,
      'server.address': hostname,
      'server.port': Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
      'url.path': redact(pathname),
      'error.type': attempt.error === undefined ? undefined : String(attempt.status ?? 'no-response'),
      'loyalty_sim.tenant': tenant,
      'loyalty_sim.webhook.id': delivery.id,
      'loyalty_sim.webhook.event_type': delivery.eventType,
      'loyalty_sim.webhook.attempt': delivery.attempts.indexOf(attempt) + 1,
      'loyalty_sim.webhook.status': delivery.status,
      'loyalty_sim.fault.rule': attempt.rule,
      'loyalty_sim.fault.kind': attempt.fault,
    },
    links: cause ? [cause] : [],
    error: attempt.error === undefined ? undefined : redact(attempt.error),
  };
}

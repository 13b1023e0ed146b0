/** Traces requests and webhooks to an OpenTelemetry collector. Loaded only where there is an `otlpEndpoint`. */
import { randomBytes } from 'node:crypto';
import type { Exchange } from '../core/exchange/exchange.ts';
import { InputError } from '../core/lib/input-error.ts';
import type { WebhookDelivery } from '../core/tenant/webhook-outbox.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { monotonicNow, systemNow } from '../core/time/clock.ts';
import { endpoints } from '../service/endpoints.ts';
import { Exporter } from './exporter.ts';
import type { Collector } from './exporter.ts';
import { requestSpan, webhookSpan } from './spans.ts';
import type { SpanId } from './spans.ts';
import { traceContextOf } from './trace-context.ts';

/** Remembers the spans of so many requests, for webhooks that come of them. */
const maxRemembered = 10_000;

/** Sees what a simulator's tenants do. */
export interface Tracer {
  readonly onRequest: (tenant: Tenant, exchange: Exchange) => void;
  readonly onWebhookAttempt: (tenant: Tenant, delivery: WebhookDelivery) => void;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

interface TracerOptions {
  /** Holds the address of a collector, or `env`. */
  readonly endpoint: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly onWarning: (message: string) => void;
}

export function createTracer({ endpoint, env, version, onWarning }: TracerOptions): Tracer {
  const exporter = new Exporter({ collector: collectorOf(endpoint, env), version, onWarning });
  const epoch = systemNow() - monotonicNow();
  const byId = new Map(endpoints.map((one) => [one.id, one]));
  const spanIds = new Map<string, SpanId>();
  const seen = new WeakSet<Exchange>();

  function remember(key: string, id: SpanId): void {
    spanIds.set(key, id);
    const [oldest] = spanIds.size > maxRemembered ? spanIds.keys() : [];
    if (oldest !== undefined) spanIds.delete(oldest);
  }

  return {
    onRequest: (tenant, exchange) => {
      // Told again when a job of it is executed.
      if (seen.has(exchange)) return;
      seen.add(exchange);
      const context = traceContextOf(exchange.request.headers);
      if (context && !context.isSampled) return;
      const id = { traceId: context?.traceId ?? newId(16), spanId: newId(8) };
      remember(exchange.id, id);
      const endpointOf = exchange.endpoint === undefined ? undefined : byId.get(exchange.endpoint);
      exporter.add(() => requestSpan({ id, tenant: tenant.name, exchange, endpoint: endpointOf, context, epoch }));
    },
    onWebhookAttempt: ({ name, settings }, delivery) => {
      const attempt = delivery.attempts.at(-1);
      const url = settings.webhook?.url;
      if (!attempt || url === undefined) return;
      const id = { traceId: newId(16), spanId: newId(8) };
      const cause = delivery.exchange === undefined ? undefined : spanIds.get(delivery.exchange);
      const end = systemNow();
      exporter.add(() => webhookSpan({ id, tenant: name, delivery, attempt, url, end, cause }));
    },
    close: () => exporter.close(),
  };
}

/** Returns an id that no other run of the simulator gives; nothing that a tenant does depends on it. */
const newId = (bytes: number): string => randomBytes(bytes).toString('hex');

const tracesPath = '/v1/traces';

/** Returns where spans go. The environment counts only where it is asked for: it may be meant for the client. */
function collectorOf(endpoint: string, env: TracerOptions['env']): Collector {
  if (endpoint !== 'env') return { url: withTracesPath(endpoint, 'otlpEndpoint'), headers: {} };
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = env;
  const headers = headersOf(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '');
  if (own !== undefined && own !== '') {
    // By OpenTelemetry's rules taken as it is.
    return { url: checkedUrl(own, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), headers };
  }
  if (base === undefined || base === '') {
    throw new InputError('otlpEndpoint: env names no collector, as OTEL_EXPORTER_OTLP_ENDPOINT is not set');
  }
  return { url: withTracesPath(base, 'OTEL_EXPORTER_OTLP_ENDPOINT'), headers };
}

function checkedUrl(text: string, source: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InputError(
    `${source}: must be the address of a collector that takes OTLP by HTTP, such as http://127.0.0.1:4318, or env, not "${text}"`,
  );
}

function withTracesPath(text: string, source: string): string {
  const url = new URL(checkedUrl(text, source));
  if (!url.pathname.endsWith(tracesPath)) url.pathname = `${url.pathname.replace(/\/$/, '')}${tracesPath}`;
  return url.href;
}

/** Reads `name=value,name=value`, with values percent-encoded. */
function headersOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    if (name.trim() === '' || value === '') return [];
    return [[name.trim().toLowerCase(), /%[\da-f]{2}/i.test(value) ? decodeURIComponent(value) : value] as const];
  });
  return Object.fromEntries(pairs);
}

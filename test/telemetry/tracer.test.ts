/** Traces as a collector gets them: over HTTP, and by the JSON form of OTLP's messages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import type { SimOptions } from '../../src/simulator/options.ts';
import { closeReceivers, openReceiver, webhookKey } from '../support/receiver.ts';
import { astridPath } from '../support/people.ts';
import { startSim } from '../support/open-sim.ts';

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeReceivers();
});

/** By opentelemetry/proto/trace/v1/trace.proto and its kin, as JSON: lower camel case, ids in hex, 64-bit numbers as texts. */
const uint64 = z.string().regex(/^\d+$/);
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const value = z.union([scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) })]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const traceId = z.string().regex(/^(?!0+$)[\da-f]{32}$/);
const spanId = z.string().regex(/^(?!0+$)[\da-f]{16}$/);
const span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  traceState: z.string().optional(),
  flags: z.int(),
  name: z.string().min(1),
  kind: z.literal([2, 3]),
  startTimeUnixNano: uint64,
  endTimeUnixNano: uint64,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: uint64, name: z.string(), attributes })),
  links: z.array(z.strictObject({ traceId, spanId, flags: z.int() })),
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
});
const scopeSpans = z.strictObject({
  scope: z.strictObject({ name: z.string(), version: z.string() }),
  spans: z.array(span),
});
const exportRequest = z.strictObject({
  resourceSpans: z.array(z.strictObject({ resource: z.strictObject({ attributes }), scopeSpans: z.array(scopeSpans) })),
});

type Value = z.infer<typeof value>;

const plain = (one: Value): unknown => {
  if ('arrayValue' in one) return one.arrayValue.values.map(plain);
  if ('intValue' in one) return Number(one.intValue);
  return Object.values(one)[0];
};

const record = (list: z.infer<typeof attributes>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map(({ key, value: one }) => [key, plain(one)]));

interface Seen {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Opens a collector; it answers 200, or what it is told to. */
async function openCollector(answer: (seen: Seen) => number | undefined = () => 200) {
  const exports: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      exports.push(seen);
      const status = answer(seen);
      if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  const spans = () =>
    exports.flatMap(({ body }) => {
      const { resourceSpans } = exportRequest.parse(JSON.parse(body));
      return resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans));
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exports, spans, close };
}

/** Plays requests against a simulator that is traced, and returns its spans when it has stopped. */
async function traced(play: (url: string) => Promise<unknown>, options: SimOptions = {}) {
  const collector = await openCollector();
  const sim = await startSim({ otlpEndpoint: collector.url, ...options });
  const { url } = await sim.listen();
  await play(url);
  await sim.close();
  return { ...collector, sim };
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a trace', () => {
  it('goes on with the one of the client', async () => {
    const { exports, spans } = await traced((url) =>
      fetch(`${url}/api/v3/point-definitions/1`, { headers: { traceparent, tracestate: 'shop=7,other=a' } }),
    );
    expect(exports.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
      ['/v1/traces', 'application/json'],
    ]);
    const [only] = spans();
    expect(only).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      traceState: 'shop=7,other=a',
      name: 'GET /api/v3/point-definitions/{definitionId}',
      kind: 2,
      status: {},
      events: [],
    });
    expect(record(only?.attributes ?? [])).toMatchObject({
      'http.request.method': 'GET',
      'url.path': '/api/v3/point-definitions/1',
      'http.route': '/api/v3/point-definitions/{definitionId}',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'loyalty_sim.tenant': 'default',
      'loyalty_sim.request_id': 'default-1',
      'loyalty_sim.endpoint': 'getPointDefinition',
      'loyalty_sim.retry_class': 'safe',
      'loyalty_sim.connection.request': 1,
    });
    expect(BigInt(only?.endTimeUnixNano ?? 0) >= BigInt(only?.startTimeUnixNano ?? 1)).toBe(true);
  });

  it.each([
    ['none came', undefined],
    ['that of the client is invalid', '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
    ['it has more than its version', `${traceparent}-more`],
  ])('begins with the request where %s', async (_, sent) => {
    const { spans } = await traced((url) =>
      fetch(`${url}/api/v3/contacts/count`, { headers: sent === undefined ? {} : { traceparent: sent } }),
    );
    const [only] = spans();
    expect(only?.parentSpanId).toBeUndefined();
    expect(only?.traceId).not.toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it('is left out where the client does not record it', async () => {
    const { spans } = await traced(async (url) => {
      await fetch(`${url}/api/v3/contacts/count`, { headers: { traceparent: traceparent.replace(/01$/, '00') } });
      await fetch(`${url}/api/v3/stores`, { headers: { traceparent } });
    });
    expect(spans().map(({ name }) => name)).toEqual(['GET /api/v3/stores']);
  });

  it('shows the fault that hit the request, and what the client got', async () => {
    const fault = { phase: 'after', respond: 'none', end: 'reset' } as const;
    const { spans } = await traced(
      (url) =>
        fetch(`${url}${astridPath}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', apikey: 'secret-key' },
          body: '{"firstName":"Ny"}',
        }).catch(() => undefined),
      { scenario: { rules: [{ id: 'lost', match: { method: 'PATCH' }, fault }] } },
    );
    const [only] = spans();
    const expected = {
      'loyalty_sim.fault.rule': 'lost',
      'loyalty_sim.fault.hit': 1,
      'loyalty_sim.fault.phase': 'after',
      'loyalty_sim.fault.respond': 'none',
      'loyalty_sim.fault.end': 'reset',
    };
    const all = record(only?.attributes ?? []);
    expect(all).toMatchObject({
      ...expected,
      'error.type': 'reset',
      'loyalty_sim.delivered.end': 'reset',
      'loyalty_sim.service_status_code': 200,
      'loyalty_sim.retry_class': 'idempotent',
      'loyalty_sim.changes': 1,
    });
    expect(all).not.toHaveProperty('http.response.status_code');
    expect(only?.events.map((event) => [event.name, record(event.attributes)])).toEqual([
      ['loyalty_sim.fault', expected],
    ]);
    expect(only?.status).toEqual({ code: 2, message: 'the response ended with: reset' });
  });

  it('holds neither keys nor personal numbers', async () => {
    const { exports } = await traced((url) =>
      fetch(`${url}/api/v3/contacts/19900101-0017?apikey=secret-key&socialSecurityNumber=19900101-0017`, {
        headers: { apikey: 'secret-key', authorization: 'Bearer secret-token' },
      }),
    );
    const text = exports.map(({ body }) => body).join('');
    expect(text).toContain('GET /api/v3/contacts/{contactId}');
    expect(text).not.toMatch(/secret|19900101/);
  });

  it('of a webhook is linked with the request that it came of', async () => {
    const receiver = await openReceiver(() => 500);
    const { spans } = await traced(
      async (url) => {
        await fetch(`${url}${astridPath}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', traceparent },
          body: '{"firstName":"Ny"}',
        });
        await receiver.atLeast(1);
        // The attempt is over when its result is in.
        await expect
          .poll(async () => (await fetch(`${url}/__admin/webhooks`)).text(), { interval: 20 })
          .toContain('responded with 500');
      },
      { webhookUrl: receiver.url, webhookKey, webhookEvents: ['contact.updated'] },
    );
    const [request, webhook] = spans().toSorted((a, b) => a.kind - b.kind);
    expect(webhook?.kind).toBe(3);
    expect(webhook?.links).toEqual([{ traceId: request?.traceId, spanId: request?.spanId, flags: 1 }]);
    expect(webhook?.traceId).not.toBe(request?.traceId);
    expect(record(webhook?.attributes ?? [])).toMatchObject({
      'http.response.status_code': 500,
      'error.type': '500',
      'loyalty_sim.webhook.attempt': 1,
      'url.path': '/hook',
    });
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');
  });
});

describe('a collector', () => {
  it('is that of the environment where env says so, with its headers', async () => {
    const collector = await openCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${collector.url}/otlp/`);
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-team=tills,authorization=Bearer%20abc');
    vi.stubEnv('OTEL_SERVICE_NAME', 'till');
    const sim = await startSim({ otlpEndpoint: 'env' });
    await sim.fetch('/api/v3/contacts/count');
    await sim.close();
    const [only] = collector.exports;
    expect(only).toMatchObject({
      path: '/otlp/v1/traces',
      headers: { 'x-team': 'tills', authorization: 'Bearer abc' },
    });
    expect(only?.body).toContain('{"key":"service.name","value":{"stringValue":"loyalty-sim"}}');
  });

  it('of the environment gets nothing where nobody asked for it', async () => {
    const collector = await openCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    const sim = await startSim({});
    await sim.fetch('/api/v3/contacts/count');
    await sim.close();
    expect(collector.exports).toEqual([]);
  });

  it('gets many spans in batches', async () => {
    const { exports, spans, url: otlpEndpoint } = await openCollector();
    const sim = await startSim({ otlpEndpoint });
    const { url } = await sim.listen();
    for (let i = 0; i < 600; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/api/v3/contacts/count`)));
    }
    // The last exports are given up half a second after the end.
    await expect.poll(() => spans().length, { timeout: 20_000 }).toBe(600);
    await sim.close();
    expect(spans()).toHaveLength(600);
    expect(new Set(spans().map((one) => one.spanId)).size).toBe(600);
    expect(exports.length).toBeLessThan(600);
  });

  it.each([
    ['that is not there', 'ECONNREFUSED', undefined],
    ['that refuses', 'it responded with 503', () => 503],
    ['that never responds', 'no response within 500 ms at the end', () => undefined],
  ])('%s fails no request, and is told of once', async (_, reason, answer) => {
    const collector = await openCollector(answer);
    if (!answer) await collector.close();
    const warnings: string[] = [];
    const otlpEndpoint = `${collector.url.replace('://', '://user:secret@')}?token=secret`;
    const sim = await startSim({ otlpEndpoint, onWarning: (message) => warnings.push(message) });
    // More than fit into one export.
    for (let i = 0; i < 600; i++) expect((await sim.fetch('/api/v3/contacts/count')).status).toBe(200);
    await sim.close();
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain(reason);
    expect(warnings[1]).toBe('otlpEndpoint: 600 spans were lost');
    expect(warnings.join()).not.toContain('secret');
  });

  it.each([
    ['ftp://127.0.0.1', 'otlpEndpoint: must be the address of a collector'],
    ['env', 'OTEL_EXPORTER_OTLP_ENDPOINT is not set'],
  ])('must have an address, and %s is none', async (otlpEndpoint, message) => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', undefined);
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', undefined);
    await expect(startSim({ otlpEndpoint })).rejects.toThrow(message);
  });
});

/** Responses go out at the end of a turn of the event loop, whoever holds the timers, and whatever a request leaves out. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveSockets } from '../../../src/http/transport/socket-server.ts';
import { createSocketResponse } from '../../../src/http/transport/socket-response.ts';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';
import { isComplete, openWire } from '../../support/wire.ts';

/** Returns headers that can not be written for one path. */
const headersOf = (url: string): Record<string, string> => ({ 'x-test': url.endsWith('/bad') ? 'a\nb' : 'a' });

async function ask(port: number, request: string): Promise<string> {
  const wire = openWire(port);
  wire.write(request);
  await wire.until(isComplete);
  return wire.heard().toString();
}

describe('the HTTP server', () => {
  it('responds while a test framework holds setImmediate', async () => {
    const { port } = await openSimOnPort();
    vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate'] });
    onTestFinished(() => void vi.useRealTimers());
    const heard = await ask(port, 'GET /api/v3/stores HTTP/1.1\r\nhost: localhost\r\nuser-agent: test\r\n\r\n');
    expect(heard).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it('responds to a control call by HTTP/1.0 without a Host', async () => {
    const { port } = await openSimOnPort();
    const wire = openWire(port);
    wire.write('GET /__admin/health HTTP/1.0\r\n\r\n');
    await wire.ended;
    expect(wire.heard().toString()).toMatch(/^HTTP\/1\.1 200 /u);
  });
});

describe('the responses of a turn', () => {
  it('go out though one of them can not be written, which is reported', async () => {
    const errors: unknown[] = [];
    const serve = serveSockets(
      ({ url }) => createSocketResponse('ok', { status: 200, headers: headersOf(url) }),
      (error) => void errors.push(error),
    );
    const server = createServer(serve).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = ['/bad', '/1', '/2', '/3'].map(async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return response.text();
    });
    const [bad, ...others] = await Promise.allSettled(asked);
    expect([bad?.status, ...others.map((one) => one.status === 'fulfilled' && one.value)]).toEqual([
      'rejected',
      'ok',
      'ok',
      'ok',
    ]);
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_INVALID_CHAR' })]);
  });
});

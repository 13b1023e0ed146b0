/** Responses go out at the end of a turn of the event loop, whoever holds the timers, and whatever a request leaves out. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';
import { isComplete, openWire } from '../../support/wire.ts';

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

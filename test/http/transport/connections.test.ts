import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { monotonicNow } from '../../../src/core/time/clock.ts';
import { registerConnection } from '../../../src/http/transport/connections.ts';

it('a connection counts as closed since the end of its client, not since its socket was put away', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const { life } = registerConnection(socket);
  socket.resume();
  client.resume().end();
  await once(socket, 'end');
  const afterwards = monotonicNow();
  expect(life.closedAt).toBeUndefined();
  socket.end();
  await once(socket, 'close');
  expect(life.closedAt).toBeLessThanOrEqual(afterwards);
});

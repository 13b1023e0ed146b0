import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address === 'object' && address) return address.port;
  throw new Error('a server listens at no port');
}

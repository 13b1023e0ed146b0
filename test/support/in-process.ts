/** Keeps `npm run test:unit` in its process: a test that starts another one, or opens a socket, fails with the reason. */
import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

const forbid = (what: string) => (): never => {
  throw new Error(`A test of \`npm run test:unit\` ${what}. vitest.unit.config.ts chooses its files.`);
};

Object.assign(ChildProcess.prototype, { spawn: forbid('started a process') });
Object.assign(Server.prototype, { listen: forbid('listened on a socket') });
Object.assign(Socket.prototype, { connect: forbid('opened a socket') });

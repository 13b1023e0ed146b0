/** Runs `loyalty-sim exec` with a client that is written down in the test. */
import { readFileSync } from 'node:fs';
import { withFetch } from './clients.ts';
import { runCommand } from './command.ts';
import { folderWith } from './folders.ts';
import type { Ended } from './command.ts';

interface Client {
  /** Holds the client's text, as a module; `base` is where the simulator is, `post(path, body)` sends to it. */
  readonly client: string;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the client next to a simulator, and returns how that ended and in which folder it was. */
export async function execClient(args: readonly string[], { client, files = {}, env = {} }: Client) {
  const folder = folderWith({ ...files, 'client.mjs': `${prelude}\n${client}` });
  const ended: Ended = await runCommand(['exec', ...args, '--', process.execPath, 'client.mjs'], { folder, env });
  return { ...ended, read: (file: string): string => readFileSync(`${folder}/${file}`, 'utf8') };
}

const prelude = `${withFetch}
const base = process.env.LOYALTY_SIM_URL;
const get = (path) => fetch(base + path);
const post = (path, body) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

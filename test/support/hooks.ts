/** Keeps test files, and the tests in them, from depending on each other. */
import { Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { tidyFolders } from './folders.ts';
import { explainLateness, forgetLateness } from './in-time.ts';

beforeEach(forgetLateness);
afterEach(({ task }) => explainLateness(task));

afterAll(tidyFolders);

/** Node has no documented way to list what is open that names each once. */
const { _getActiveHandles: activeHandles } = process as unknown as { readonly _getActiveHandles: () => unknown[] };

const openServers = (): unknown[] => activeHandles().filter((handle) => handle instanceof Server && handle.listening);

let openBefore: unknown[] = [];
beforeAll(() => {
  openBefore = openServers();
});

// A simulator that still listens would count the stalls of all files that follow.
afterAll(() => {
  const left = openServers().filter((server) => !openBefore.includes(server));
  expect(left.length, 'servers that the file has left open').toBe(0);
});

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SimFetch } from '../../../src/simulator/tenant-handle.ts';
import type { ExploredClient } from './tills.ts';

export type ClientFunction = (fetch: SimFetch, baseUrl: string, key: string) => Promise<void>;

/** Loads a client that is a function. Throws for one that is not. */
export async function functionOf({ file, function: name = '' }: ExploredClient): Promise<ClientFunction> {
  const path = resolve('test/explore/clients', file);
  const module: Readonly<Record<string, ClientFunction>> = await import(pathToFileURL(path).href);
  const client = module[name];
  if (!client) throw new Error(`${file} has no ${name}`);
  return client;
}

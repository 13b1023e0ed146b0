/** Where scripts are played: a simulator made for one script, or a tenant of a running one made for it. */
import * as z from 'zod';
import { InputError } from '../../core/lib/input-error.ts';
import type { ScriptResult } from '../../script/result.ts';
import { scriptName } from '../../script/run-script.ts';
import type { Script } from '../../script/run-script.ts';
import type { ScriptTarget } from '../../script/step-request.ts';
import { createSim } from '../../simulator/create-sim.ts';
import { adminClient, resolveTarget } from './admin-client.ts';
import type { RemoteFlags } from './admin-client.ts';
import { printNote } from '../process/terminal.ts';

export interface ScriptTargetFlags extends RemoteFlags {
  readonly apiKey?: string | undefined;
  readonly port?: string | undefined;
  readonly withPointMaster?: boolean | undefined;
}

type Playing = (target: ScriptTarget) => Promise<ScriptResult>;

/** Plays a script where nothing has happened yet. */
export const withFreshTarget = (script: Script, flags: ScriptTargetFlags, playing: Playing): Promise<ScriptResult> =>
  flags.url === undefined ? onSim(script, flags, playing) : onTenant(script, flags, playing);

async function onSim({ written }: Script, flags: ScriptTargetFlags, playing: Playing): Promise<ScriptResult> {
  const { port, apiKey } = flags;
  const sim = await createSim({
    scenario: written,
    withPointMaster: needsPointMaster(written, flags),
    onInternalError: printInternalError,
  });
  try {
    const { url } = await sim.listen({ port: portFrom(port) });
    return await playing(targetAt(url, { url, apiKey }));
  } finally {
    await sim.close();
  }
}

/** Rules about a point master need one; who keeps points itself can't have one. */
const needsPointMaster = (
  { mode, pointMaster = [] }: Script['written'],
  { withPointMaster = false }: ScriptTargetFlags,
): boolean => mode !== 'standard' && (withPointMaster || pointMaster.length > 0);

const printInternalError = (error: unknown): void =>
  printNote(error instanceof Error ? (error.stack ?? error.message) : String(error));

function portFrom(sent = '0'): number {
  const port = /^\d{1,5}$/.test(sent) ? Number(sent) : 65_536;
  if (port < 65_536) return port;
  throw new InputError(`--port: expected a port number, from 0 to 65535, got "${sent}"`);
}

const targetAt = (serviceUrl: string, flags: ScriptTargetFlags): ScriptTarget => {
  const call = adminClient(flags);
  return {
    serviceUrl,
    headers: flags.apiKey === undefined ? {} : { apikey: flags.apiKey },
    admin: (path, request = {}) => call(path, { ...request, responseSchema: z.unknown() }),
  };
};

let made = 0;

async function onTenant(script: Script, flags: ScriptTargetFlags, playing: Playing): Promise<ScriptResult> {
  const { base } = resolveTarget(flags);
  const name = tenantName(scriptName(script), ++made);
  const url = `${base}/t/${name}`;
  const call = adminClient({ ...flags, tenant: undefined, url: base });
  // Its steps are played from here, and its expectations judged when they are over.
  const { steps: _steps, expectations: _expectations, $schema: _schema, ...scenario } = script.written;
  await call('/tenants', { method: 'POST', body: { name, scenario }, responseSchema: z.unknown() });
  const played = await playing(targetAt(url, { ...flags, url: base, tenant: name }));
  if (played.verdict === 'PASS') await call(`/tenants/${name}`, { method: 'DELETE', responseSchema: z.unknown() });
  else printNote(`the tenant ${name} is kept to be looked at: ${url}`);
  return played;
}

const longestName = 30;

/** A name that no other run gives: it has our process in it. */
const tenantName = (name: string, number: number): string =>
  [
    'run',
    name
      .match(/[A-Za-z0-9]+/g)
      ?.join('-')
      .slice(0, longestName),
    process.pid,
    number,
  ].join('-');

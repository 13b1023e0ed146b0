/** Creates a target for each script: a fresh simulator, or a fresh tenant of a running one. */
import * as z from '../../core/validation/deferred-zod.ts';
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

type ScriptRunner = (target: ScriptTarget) => Promise<ScriptResult>;

/** Runs a script on a target without any history. */
export const withFreshTarget = (script: Script, flags: ScriptTargetFlags, runOn: ScriptRunner): Promise<ScriptResult> =>
  flags.url === undefined ? onSim(script, flags, runOn) : onTenant(script, flags, runOn);

async function onSim({ spec }: Script, flags: ScriptTargetFlags, runOn: ScriptRunner): Promise<ScriptResult> {
  const { port, apiKey } = flags;
  const sim = await createSim({
    scenario: spec,
    withPointMaster: needsPointMaster(spec, flags),
    onInternalError: printInternalError,
  });
  try {
    const { url } = await sim.listen({ port: portFrom(port) });
    return await runOn(targetAt(url, { url, apiKey }));
  } finally {
    await sim.close();
  }
}

/** True when a rule or a flag needs a point master, which mode standard can't have. */
const needsPointMaster = (
  { mode, pointMaster = [] }: Script['spec'],
  { withPointMaster = false }: ScriptTargetFlags,
): boolean => mode !== 'standard' && (withPointMaster || pointMaster.length > 0);

const printInternalError = (error: unknown): void =>
  printNote(error instanceof Error ? (error.stack ?? error.message) : String(error));

function portFrom(sent = '0'): number {
  const port = /^\d{1,5}$/.test(sent) ? Number(sent) : 65_536;
  if (port < 65_536) return port;
  throw new InputError(`--port: must be a port number from 0 to 65535, not "${sent}"`);
}

const targetAt = (serviceUrl: string, flags: ScriptTargetFlags): ScriptTarget => {
  const call = adminClient(flags);
  return {
    serviceUrl,
    headers: flags.apiKey === undefined ? {} : { apikey: flags.apiKey },
    admin: (path, request = {}) => call(path, { ...request, responseSchema: z.unknown() }),
  };
};

let created = 0;

async function onTenant(script: Script, flags: ScriptTargetFlags, runOn: ScriptRunner): Promise<ScriptResult> {
  const { base } = resolveTarget(flags);
  const name = tenantName(scriptName(script), ++created);
  const url = `${base}/t/${name}`;
  const call = adminClient({ ...flags, tenant: undefined, url: base });
  // Its steps run from here, and its expectations are judged after them.
  const { steps: _steps, expectations: _expectations, $schema: _schema, ...scenario } = script.spec;
  await call('/tenants', { method: 'POST', body: { name, scenario }, responseSchema: z.unknown() });
  const result = await runOn(targetAt(url, { ...flags, url: base, tenant: name }));
  if (result.verdict === 'PASS') await call(`/tenants/${name}`, { method: 'DELETE', responseSchema: z.unknown() });
  else printNote(`tenant ${name} is kept for inspection: ${url}`);
  return result;
}

const maxNameLength = 30;

/** Returns a name that no other run uses, by the id of our process. */
const tenantName = (name: string, number: number): string =>
  [
    'run',
    name
      .match(/[A-Za-z0-9]+/g)
      ?.join('-')
      .slice(0, maxNameLength),
    process.pid,
    number,
  ].join('-');

import * as z from '../../core/validation/deferred-zod.ts';
import { adminClient } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatStateDiff, stateDiffSchema } from '../format/effects.ts';
import { printResponse } from '../process/terminal.ts';
import { withDataFlags, withRemoteFlags } from '../flags/remote-flags.ts';
import { withExamples, flagWithDefault } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareSnapshot: DeclareCommand = (snapshot, done) => {
  withRemoteFlags(snapshot.command('list'))
    .description('list the snapshots')
    .action(async (flags: RemoteFlags) => done(await listSnapshots(flags)));
  withRemoteFlags(snapshot.command('take <name>'))
    .description('store state, queue and clock as they are')
    .action(async (name: string, flags: RemoteFlags) => done(await takeSnapshot(name, flags)));
  withRemoteFlags(snapshot.command('restore <name>'))
    .description('put state, queue and clock back')
    .action(async (name: string, flags: RemoteFlags) => done(await restoreSnapshot(name, flags)));
  withRemoteFlags(snapshot.command('delete <name>'))
    .description('delete a snapshot')
    .action(async (name: string, flags: RemoteFlags) => done(await deleteSnapshot(name, flags)));
  withDataFlags(snapshot.command('diff'))
    .description('compare two snapshots, row by row and field by field')
    .addOption(flagWithDefault('--from <name>', 'name of a snapshot, "seed" or "current"', 'seed'))
    .addOption(flagWithDefault('--to <name>', 'name of a snapshot, "seed" or "current"', 'current'))
    .addOption(flagWithDefault('--limit <n>', 'number of rows to list, at most 1000', '100'))
    .action(async (flags: DiffFlags) => done(await diffSnapshots(flags)));
  withExamples(
    snapshot,
    'loyalty-sim snapshot take before-checkout',
    'loyalty-sim snapshot diff --from before-checkout',
    'loyalty-sim snapshot restore before-checkout',
  );
};

interface DiffFlags extends RemoteFlags {
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
}

const snapshotSchema = z.looseObject({ name: z.string(), takenAt: z.string() });
const listSchema = z.looseObject({ snapshots: z.array(snapshotSchema) });
const restoredSchema = z.looseObject({ restored: z.string(), now: z.string(), frozen: z.boolean() });
const deletedSchema = z.looseObject({ deleted: z.string() });

const pathOf = (name: string): string => `/snapshots/${encodeURIComponent(name)}`;

async function listSnapshots(flags: RemoteFlags): Promise<number> {
  const response = await adminClient(flags)('/snapshots', { responseSchema: listSchema });
  const lines = response.snapshots.map(({ name, takenAt }) => `${name}  ${takenAt}`);
  printResponse(
    flags,
    response,
    lines.length > 0 ? lines : ['no snapshots; "loyalty-sim snapshot take <name>" takes one'],
  );
  return 0;
}

async function takeSnapshot(name: string, flags: RemoteFlags): Promise<number> {
  const response = await adminClient(flags)(pathOf(name), { method: 'POST', responseSchema: snapshotSchema });
  printResponse(flags, response, [`${response.name} holds the state of ${response.takenAt}`]);
  return 0;
}

async function restoreSnapshot(name: string, flags: RemoteFlags): Promise<number> {
  const response = await adminClient(flags)(`${pathOf(name)}/restore`, {
    method: 'POST',
    responseSchema: restoredSchema,
  });
  const { restored, now, frozen } = response;
  printResponse(flags, response, [`${restored} is restored: it is ${now}, ${frozen ? 'frozen' : 'running'}`]);
  return 0;
}

async function deleteSnapshot(name: string, flags: RemoteFlags): Promise<number> {
  const response = await adminClient(flags)(pathOf(name), { method: 'DELETE', responseSchema: deletedSchema });
  printResponse(flags, response, [`${response.deleted} is deleted`]);
  return 0;
}

async function diffSnapshots(flags: DiffFlags): Promise<number> {
  const { from, to, limit } = flags;
  const response = await adminClient(flags)('/snapshots/diff', {
    query: { from, to, limit },
    responseSchema: stateDiffSchema,
  });
  printResponse(flags, response, formatStateDiff(response, '--limit shows up to 1000'));
  return 0;
}

/** Lets the power fail while a state is saved, on disks that keep any part of what they were not forced to keep. */
import { dirname, join } from 'node:path';
import { InputError } from '../../src/core/lib/input-error.ts';
import { seededRandom } from '../../src/core/lib/random.ts';
import { StateFiles } from '../../src/storage/persistence/state-files.ts';
import type { Client } from './client.ts';
import { diskModels, RecordedDisk, writeDisk } from './recorded-disk.ts';
import type { Draw } from './recorded-disk.ts';
import { closeSavedSim, fixtureBeside, newFile, openSavedSim } from './saved.ts';

const emailOf = (number: number): string => `kim${number}@example.com`;

/** Creates contacts, some at the same time, and notes how many were responded to. */
async function create(client: Client, disk: RecordedDisk, { from, to }: { from: number; to: number }): Promise<void> {
  for (let number = from; number <= to; number += 3) {
    const together = [number, number + 1, number + 2].filter((one) => one <= to);
    await Promise.all(together.map((one) => client.post('/api/v3/contacts', { email: emailOf(one) })));
    disk.mark(together.at(-1) ?? number);
  }
}

/** Counts contacts that are more than are saved at once. */
const many = 2100;

/** Says how many contacts other tenants have, when they are there whole. */
const sizesOfOthers: ReadonlyMap<string, readonly number[]> = new Map([
  ['named', [many]],
  ['back', [0, many]],
]);

/** Creates a tenant of a large fixture, and another one that is put back to a large state. */
async function saveLarge({ post }: Client): Promise<void> {
  const crowd = Array.from({ length: many }, (_, i) => ({ email: `crowd${i}@example.com` }));
  await post('/__admin/tenants', { name: 'named', fixtures: fixtureBeside(newFile(), crowd) });
  await post('/t/back/api/v3/contacts/bulk', crowd);
  await post('/__admin/snapshots/full?tenant=back');
  await post('/__admin/reset?tenant=back');
  await post('/__admin/snapshots/full/restore?tenant=back');
}

interface RecordedRuns {
  readonly durable: boolean;
  readonly contacts: number;
  /** True to save large states of other tenants as well. */
  readonly isLarge?: boolean;
}

/** Records two runs that save so many contacts each, and a third that begins. */
export async function recordRuns({ durable, contacts, isLarge = false }: RecordedRuns): Promise<RecordedDisk> {
  const file = newFile();
  const disk = new RecordedDisk(dirname(file));
  disk.start();
  try {
    for (const run of [0, 1]) {
      const client = await openSavedSim(file, { durable });
      const from = run * contacts + 1;
      const half = from + Math.floor(contacts / 2);
      const before = disk.forcedCount;
      await create(client, disk, { from, to: half });
      // What was written since then is forced to the disk after a while, as well without being asked to.
      while (disk.forcedCount === before) await new Promise((resolve) => void setTimeout(resolve, 20));
      if (isLarge && run === 0) await saveLarge(client);
      await create(client, disk, { from: half + 1, to: from + contacts - 1 });
      await closeSavedSim(client);
    }
    await closeSavedSim(await openSavedSim(file, { durable }));
    return disk;
  } finally {
    disk.stop();
  }
}

/** Counts what became of states after a power failure. */
export interface FailureTally {
  /** Counts those that were read, and had lost calls that were responded to. */
  lost: number;
  /** Describes those that were refused, held what never was, lost something without a note, or what was forced to the disk. */
  readonly wrong: string[];
}

interface FailureOptions {
  readonly seed: number;
  readonly count: number;
  readonly durable: boolean;
}

/** Lets the power fail so many times, and reads what is left. */
export async function failPower(disk: RecordedDisk, { seed, count, durable }: FailureOptions): Promise<FailureTally> {
  let drawn = 0;
  const draw: Draw = (below) => Math.floor(seededRandom(seed, String(drawn++)) * below);
  const models = Object.entries(diskModels);
  const tally: FailureTally = { lost: 0, wrong: [] };
  for (let done = 0; done < count; done++) {
    const [name, keep] = models[done % models.length] as (typeof models)[number];
    const end = 1 + draw(disk.operations.length);
    const file = newFile();
    writeDisk(dirname(file), disk.filesAt(end, keep, draw));
    const responded = disk.markedBefore(end);
    const sure = durable ? responded : disk.markedBefore(disk.forcedBefore(end, 'state.json.log'));
    const { kept, wrong } = await read(file, { responded, sure });
    if (kept < responded) tally.lost++;
    if (wrong !== undefined) tally.wrong.push(`${done}: a disk that ${name}, before operation ${end}: ${wrong}`);
  }
  return tally;
}

/** Returns the contacts of a tenant; undefined when there is no such tenant. */
function contactsOf({ content }: StateFiles, name: string): unknown[] | undefined {
  const tenant = content.tenants.get(name);
  return tenant && [...(tenant.state.tables['contacts']?.rows.values() ?? [])];
}

/** Reads a state, and judges it: it holds contacts from the first one on, all that are sure to be there. */
async function read(
  file: string,
  { responded, sure }: { readonly responded: number; readonly sure: number },
): Promise<{ readonly kept: number; readonly wrong?: string }> {
  const notes: string[] = [];
  try {
    const files = await StateFiles.open({ file, onWarning: (note) => void notes.push(note) });
    const rows = contactsOf(files, 'default') ?? [];
    const others = [...sizesOfOthers].map(([name, sizes]) => ({ name, sizes, size: contactsOf(files, name)?.length }));
    await files.close();
    const torn = others.find(({ size, sizes }) => size !== undefined && !sizes.includes(size));
    if (torn) return { kept: 0, wrong: `the tenant ${torn.name} has ${torn.size} contacts` };
    const emails = new Set(rows.map((row) => (row as { attributes: { email: string } }).attributes.email));
    const kept = rows.length;
    for (let number = 1; number <= kept; number++)
      if (!emails.has(emailOf(number))) return { kept, wrong: `it has ${kept} contacts, and not number ${number}` };
    if (kept < sure) return { kept, wrong: `it has ${kept} contacts, and ${sure} were sure to be kept` };
    return kept < responded && notes.length === 0 ? { kept, wrong: 'it lost contacts without a note' } : { kept };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { kept: 0, wrong: error.message.replace(join(dirname(file), ''), '') };
  }
}

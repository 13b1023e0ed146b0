/** Reloads scenario files when they change. */
import { formatDiagnostic } from '../../core/validation/diagnostic.ts';
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { InputError } from '../../core/lib/input-error.ts';
import { loadScenarios } from '../../scenario/load.ts';
import type { ScenarioReload } from '../../simulator/scenario-reload.ts';
import { tenantOptionNames } from '../../service/settings/tenant-options.ts';
import type { Sim } from '../../simulator/sim.ts';

/** Waits this long after the last change, in ms, since editors write a file in several steps. */
const quietTime = 100;

interface WatchOptions {
  /** Lists the scenarios as they were named at the start. */
  readonly named: readonly string[];
  readonly files: readonly string[];
  readonly sim: Sim;
  readonly note: (text: string) => void;
}

/** Watches the files, and returns a function that stops it. */
export function watchScenarios({ named, files, sim, note }: WatchOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  const reload = (): void => {
    for (const line of reloadScenarios(named, sim)) note(line);
  };
  const watchers = filesByFolder(files).map(([folder, names]): FSWatcher => {
    // The folder, not the file: an editor that writes a new file in its place leaves nothing to watch of the old one.
    const watcher = watch(folder, (_, name) => {
      if (name !== null && !names.includes(name)) return;
      clearTimeout(timer);
      timer = setTimeout(reload, quietTime);
    });
    return watcher.on('error', ({ message }) => note(`${folder} is no longer watched: ${message}`));
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function filesByFolder(files: readonly string[]): [folder: string, names: string[]][] {
  const folders = new Set(files.map((file) => dirname(file)));
  return [...folders].map((folder) => [
    folder,
    files.filter((file) => dirname(file) === folder).map((file) => basename(file)),
  ]);
}

/** Reloads the files and returns what changed; a broken file changes nothing. */
function reloadScenarios(named: readonly string[], sim: Sim): string[] {
  try {
    const { spec, warnings } = loadScenarios(named);
    const changes = changesOf(sim.replaceScenario(spec));
    return changes.length === 0 ? [] : [`scenario reloaded: ${changes.join('; ')}`, ...warnings.map(formatDiagnostic)];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return ['scenario not reloaded, the previous one stays active:', ...error.message.split('\n')];
  }
}

function changesOf({ added, changed, removed, fields, recreated }: ScenarioReload): string[] {
  const setup = fields.filter((name) => tenantOptionNames.some((known) => known === name));
  const others = fields.filter((name) => !setup.includes(name));
  return [
    ...added.map((id) => `rule ${id} added`),
    ...changed.map((id) => `rule ${id} changed, its counters are at zero`),
    ...removed.map((id) => `rule ${id} removed`),
    ...(setup.length === 0 ? [] : [`${setup.join(', ')} changed: ${consequence(recreated)}`]),
    ...(others.length === 0 ? [] : [`${others.join(', ')} changed`]),
  ];
}

const consequence = (recreated: readonly string[]): string =>
  recreated.length === 0
    ? 'it applies to new tenants only'
    : `${recreated.length > 3 ? `${recreated.length} tenants start` : `${recreated.join(', ')} ${recreated.length === 1 ? 'starts' : 'start'}`} again from the fixtures`;

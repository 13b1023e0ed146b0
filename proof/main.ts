/** Runs rows of the proof, and prints what they have shown. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { InputError } from '../src/core/lib/input-error.ts';
import { systemNow, toTimestamp } from '../src/core/time/clock.ts';
import { tidyFolders } from '../test/support/folders.ts';
import { agents } from './agents.ts';
import { browserRow } from './browser.ts';
import { clientTable } from './client-table.ts';
import { cost } from './cost.ts';
import { determinism } from './determinism.ts';
import { durableWrites } from './durable-writes.ts';
import { faultFidelity } from './fault-fidelity.ts';
import { flakeRate } from './flake-rate.ts';
import { generatedClients } from './generated-clients.ts';
import { hostileRequests } from './hostile-requests.ts';
import { isolation } from './isolation.ts';
import { linearizability } from './linearizability.ts';
import { kills } from './kills.ts';
import { longestTurn } from './longest-turn.ts';
import { mutatedFiles } from './mutated-files.ts';
import { mutants } from './mutants.ts';
import { killedWriters } from './killed-writers.ts';
import { minimalFindings } from './minimal-findings.ts';
import { pipelinedRequests } from './pipelined-requests.ts';
import { plantedTills } from './planted-tills.ts';
import { powerFailures } from './power-failures.ts';
import { pruning } from './pruning.ts';
import type { ProofOutcome, ProofRow, ProofSettings } from './row.ts';
import { rightClients } from './right-clients.ts';
import { soak } from './soak.ts';
import { spoiledStates } from './spoiled-states.ts';
import { webhooks } from './webhooks.ts';
import { wrongPrograms } from './wrong-programs.ts';

const rows: readonly ProofRow[] = [
  plantedTills,
  mutants,
  wrongPrograms,
  agents,
  kills,
  rightClients,
  pruning,
  minimalFindings,
  cost,
  clientTable,
  generatedClients,
  spoiledStates,
  powerFailures,
  isolation,
  determinism,
  linearizability,
  hostileRequests,
  pipelinedRequests,
  mutatedFiles,
  killedWriters,
  soak,
  webhooks,
  longestTurn,
  faultFidelity,
  durableWrites,
  browserRow,
  flakeRate,
];

const explorePage = 'docs/explore.md';
const [begin, end] = ['<!-- proved -->', '<!-- /proved -->'];

/** Runs the rows with these names, all without any, or with `short` a twentieth of each quick one; returns an exit code. */
export async function prove({
  rows: names,
  only,
  write,
  short,
  runs,
}: {
  readonly rows: readonly string[];
  readonly only: string;
  readonly write: boolean;
  readonly short: boolean;
  /** Sets the number of runs, as digits. */
  readonly runs: string;
}): Promise<number> {
  if (write && short) throw new InputError('--write keeps what whole rows have shown: leave out --short');
  const unknown = names.find((name) => rows.every((row) => row.name !== name));
  if (unknown !== undefined)
    throw new InputError(`there is no row ${unknown}: choose from ${rows.map(({ name }) => name).join(', ')}`);
  const settings: ProofSettings = {
    isWanted: (name) => name.includes(only),
    print: (line) => void process.stdout.write(`${line}\n`),
    runs: Number(runs),
    share: (cases) => (short ? Math.ceil(cases / 20) : cases),
  };
  const lines = new Map<string, string[]>();
  let isReached = true;
  for (const row of rows.filter(({ name, isQuick = false }) =>
    names.length === 0 ? isQuick || !short : names.includes(name),
  )) {
    settings.print(`\n${row.name}: ${row.what}`);
    const shown = await row.run(settings).catch((error: unknown) => brokenOff(error, settings));
    if (!shown.isReached) settings.print(`again: ${repeating(row, { only, short, runs })}`);
    isReached &&= shown.isReached;
    const { page = explorePage } = row;
    const line = `- ${row.what}.\n  Asked for: ${row.asked}. Shown: ${shown.figure}${shown.isReached ? '' : ' (**not reached**)'}.`;
    lines.set(page, [...(lines.get(page) ?? []), line]);
  }
  tidyFolders();
  for (const [page, shown] of lines) {
    const list = shown.join('\n');
    settings.print(`\n${list}`);
    if (write)
      keep(
        page,
        `${toTimestamp(systemNow()).slice(0, 10)}, Node ${process.version}, ${cpus().length} cores.\n\n${list}`,
      );
  }
  return isReached ? 0 : 1;
}

/** Takes a row that ends with an error for one that is not reached, so that those after it still run; no page keeps its stack. */
function brokenOff(error: unknown, { print }: ProofSettings): ProofOutcome {
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { figure: 'it ended with an error', isReached: false };
}

/** Returns the command that runs a row again as it was run. */
function repeating(
  { name }: ProofRow,
  { only, short, runs }: { readonly only: string; readonly short: boolean; readonly runs: string },
): string {
  const options = [short && '--short', only !== '' && `--only '${only}'`, runs !== '10' && `--runs ${runs}`];
  return ['npm run proof --', name, ...options.filter(Boolean)].join(' ');
}

function keep(page: string, list: string): void {
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
  writeFileSync(page, `${before}${begin}\n\n${list}\n\n${after}`);
}

/** Runs set-ups against one simulator, each cell in a tenant of its own, and reads the cells off the verdicts. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Sim } from '../../src/simulator/sim.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { scenarioOf, warmUp } from './cells.ts';
import type { Call, FaultColumn } from './cells.ts';
import { cellOf, longestWait } from './expectation.ts';
import type { Mode, Worker } from './programs.ts';
import type { Setup } from './setup.ts';

/** One request of one set-up with one fault. */
export interface Cell {
  readonly call: Call;
  readonly fault: FaultColumn;
}

/** Cells of one program, which runs them one after the other. */
export interface Lane {
  readonly setup: Setup;
  readonly mode: Mode;
  readonly worker: Worker;
  readonly cells: readonly Cell[];
}

export interface CellResult extends Cell {
  readonly setup: string;
  readonly mode: Mode;
  /** `✓`, the rules that it breaks, `?` for INCONCLUSIVE, or `∞` when the client still waited. */
  readonly cell: string;
  readonly ms: number;
  /** How often the request arrived. */
  readonly attempts: number;
  /** What the client said, and why the verdict is as it is. */
  readonly said: string;
  readonly reasons: readonly string[];
}

/** Runs a lane, and starts its program again where it got stuck. */
export async function runLane(sim: Sim, lane: Lane): Promise<CellResult[]> {
  const results: CellResult[] = [];
  let program = startProgram(lane.worker);
  for (const cell of lane.cells) {
    let result = await runCell(sim, lane, cell, program);
    // The simulator, or the client, was late: this machine is busy.
    for (let time = 0; time < 2 && result.cell === '?'; time++) result = await runCell(sim, lane, cell, program);
    results.push(result);
    if (result.said === '' || program.hasEnded()) {
      program.end();
      program = startProgram(lane.worker);
    }
  }
  program.end();
  return results;
}

async function runCell(sim: Sim, { setup, mode }: Lane, { call, fault }: Cell, program: Program): Promise<CellResult> {
  const tenant = sim.tenant();
  try {
    await tenant.applyScenario(scenarioOf(call, fault));
    const { url = '' } = tenant;
    const started = performance.now();
    await program.send(['warm-up', 'GET', `${url}${warmUp}`, '', '', '']);
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const look = call.look === undefined ? '' : url + call.look;
    const said = await program.send([call.name, call.method, url + call.path, body, call.key ?? '', look]);
    const verdict = await tenant.verdict();
    return {
      call,
      fault,
      setup: setup.id,
      mode,
      ms: Math.round(performance.now() - started),
      said: said ?? '',
      ...readVerdict(verdict, call, said === undefined),
    };
  } finally {
    tenant.close();
  }
}

function readVerdict({ verdict, operations, reason }: Verdict, call: Call, isWaiting: boolean) {
  const found = operations.flatMap(({ findings }) => findings);
  const failed = [...new Set(found.filter(({ level }) => level === 'fail').map(({ rule }) => rule))];
  const own = operations.filter(({ endpoint }) => endpoint === call.endpoint);
  const reasons = found.map(({ rule, level, message }) => `${rule} ${level}: ${message}`);
  return {
    attempts: own.flatMap(({ attempts }) => attempts).length,
    // What is proven stays so, however long it waits.
    cell: failed.length > 0 || verdict === 'PASS' ? cellOf(failed.toSorted(byNumber)) : isWaiting ? '∞' : '?',
    reasons: reasons.length > 0 ? reasons : [reason],
  };
}

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));

interface Program {
  /** Resolves with what it says of a request; with nothing when it still waits. */
  readonly send: (fields: readonly string[]) => Promise<string | undefined>;
  readonly hasEnded: () => boolean;
  readonly end: () => void;
}

function startProgram({ command, args }: Worker): Program {
  const { NODE_EXTRA_CA_CERTS: _unused, ...env } = process.env;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk}`.slice(-2000)));
  child.stdin.on('error', () => {});
  const said = linesOf(child);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    hasEnded,
    end: () => child.kill('SIGKILL'),
    send: async (fields) => {
      child.stdin.write(`${fields.join('\t')}\n`);
      const line = await Promise.race([said.next(), patience()]);
      if (line === undefined) return undefined;
      if (line.done) throw new Error(`${command} ${args.join(' ')} ended: ${errors}`);
      return line.value;
    },
  };
}

const linesOf = (child: ChildProcessWithoutNullStreams): AsyncIterator<string> =>
  createInterface({ input: child.stdout })[Symbol.asyncIterator]();

function patience(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), longestWait * 1000).unref();
  });
}

interface LaneOptions {
  readonly atOnce: number;
  /** Told of each lane that is done. */
  readonly onLane?: (line: string) => void;
}

/** Runs lanes side by side, so many at once; they sleep most of the time. */
export async function runLanes(
  sim: Sim,
  lanes: readonly Lane[],
  { atOnce, onLane }: LaneOptions,
): Promise<CellResult[]> {
  const waiting = [...lanes];
  const results: CellResult[] = [];
  const work = async (): Promise<void> => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift()) {
      const found = await runLane(sim, lane);
      results.push(...found);
      onLane?.(`${lane.setup.id} ${lane.mode} ${found[0]?.call.name}: ${found.map(({ cell }) => cell).join(' ')}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

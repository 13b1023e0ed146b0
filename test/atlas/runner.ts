/** Runs set-ups against one simulator, each cell in a tenant of its own, and reads the cells off the verdicts. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
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
    for (let time = 1; time < 5 && isLate(result); time++) {
      await sleep(time * 500);
      result = await runCell(sim, lane, cell, program);
    }
    results.push(result);
    if (result.said === '' || result.said.startsWith('ended: ')) {
      program.end();
      program = startProgram(lane.worker);
    }
  }
  program.end();
  return results;
}

/** True when the verdict leaves it open because this machine is busy. */
const isLate = ({ cell, reasons }: CellResult): boolean =>
  cell === '?' && reasons.some((reason) => reason.includes('the simulator itself was'));

async function runCell(sim: Sim, { setup, mode }: Lane, { call, fault }: Cell, program: Program): Promise<CellResult> {
  const tenant = sim.tenant();
  try {
    await tenant.applyScenario(scenarioOf(call, fault));
    const { url = '' } = tenant;
    const started = performance.now();
    await program.send(['warm-up', 'GET', `${url}${warmUp}`, '', '', ''], startUp);
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const look = call.look === undefined ? '' : url + call.look;
    const said = await program.send([call.name, call.method, url + call.path, body, call.key ?? '', look]);
    // The simulator learns a moment later that the client has hung up.
    if (fault.name === 'hang') await sleep(500);
    // What is given up now is given up: no pause of the client is still to come.
    if (said !== undefined) await tenant.clock.advance('1h');
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
  readonly send: (fields: readonly string[], seconds?: number) => Promise<string | undefined>;
  readonly end: () => void;
}

function startProgram({ command, args }: Worker): Program {
  const { NODE_EXTRA_CA_CERTS: _unused, ...env } = process.env;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk}`.slice(-2000)));
  child.stdin.on('error', () => {});
  const said = linesOf(child);
  return {
    end: () => child.kill('SIGKILL'),
    send: async (fields, seconds = longestWait) => {
      child.stdin.write(`${fields.join('\t')}\n`);
      const line = await Promise.race([said.next(), patience(seconds)]);
      if (line === undefined) return undefined;
      return line.done ? `ended: ${command} ${args.join(' ')}: ${errors}` : line.value;
    },
  };
}

const linesOf = (child: ChildProcessWithoutNullStreams): AsyncIterator<string> =>
  createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** The time in seconds that a program may take to start on a busy machine. */
const startUp = 120;

function patience(seconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), seconds * 1000).unref();
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
      onLane?.(`${lane.setup.id} ${lane.mode}: ${found.map(({ cell }) => cell).join(' ')}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

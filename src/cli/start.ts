import { loadConfig } from '../config.ts';
import type { Config, Flags } from '../config.ts';
import { monotonic } from '../core/clock.ts';
import { InputError } from '../core/errors.ts';
import { version } from '../package.ts';
import { createSim } from '../sim.ts';
import { banner } from './banner.ts';
import { logAs } from './log.ts';
import { flushLog, printLog, printNote, printResult, styled } from './print.ts';
import { readyFile } from './ready-file.ts';
import { planOf } from './scenario.ts';
import { signalled } from './signals.ts';
import { simOptions } from './sim-options.ts';
import { Summary } from './summary.ts';

/** Serves the API until it is told to stop. */
export async function start(flags: Flags): Promise<number> {
  const config = loadConfig({ flags });
  if (config.watch && config.scenario.length === 0) {
    throw new InputError('watch: there is nothing to watch; name a scenario with --scenario <file>');
  }
  const plan = await planOf(config, flags);
  const stopped = signalled();
  const summary = new Summary(plan.inForce.assume ?? {});
  const ready = readyFile(config.readyFile);
  const sim = await createSim({ ...simOptions(config, (exchange) => summary.count(exchange)), ...plan.options });
  const { note } = logAs(config.log);
  let unwatch: (() => void) | undefined;
  try {
    // Before anybody is told that it is ready: from then on no change may be missed.
    if (config.watch) {
      const { watchScenarios } = await import('./watch.ts');
      unwatch = watchScenarios({ named: config.scenario, files: plan.scenario.files, sim, note });
    }
    const { url, port } = await sim.listen({ port: config.port });
    const line = readyLine(url, port);
    ready.write(line);
    printResult(config.json ? line : `loyalty-sim ${version()} is ready at ${url}`);
    if (config.log === 'pretty') for (const text of banner(config, plan, { sim, url })) printLog(text);
    for (const text of plan.notes) note(text);
    await stopped;
  } finally {
    unwatch?.();
    await sim.close();
    ready.remove();
  }
  printSummary(config.log, summary);
  return 0;
}

function readyLine(url: string, port: number): string {
  return JSON.stringify({
    event: 'ready',
    url,
    adminUrl: `${url}/__admin`,
    port,
    pid: process.pid,
    version: version(),
    // Counted from the start of the process.
    ms: Math.round(monotonic()),
  });
}

function printSummary(form: Config['log'], summary: Summary): void {
  flushLog();
  if (form === 'json') printNote(JSON.stringify(summary));
  if (form === 'pretty') for (const line of summary.lines()) printNote(styled('bold', line));
}

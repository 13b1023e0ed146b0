import { loadConfig } from '../../config/config.ts';
import type { Config, Flags } from '../../config/config.ts';
import { monotonicNow } from '../../core/time/clock.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { packageVersion } from '../../package/package-info.ts';
import { createSim } from '../../simulator/create-sim.ts';
import { formatStartBanner } from '../format/start-banner.ts';
import { boundHeapGrowth } from './heap-growth.ts';
import { logFor } from './request-log.ts';
import { flushLog, printLines, printLog, printNote, printResult, styled } from './terminal.ts';
import { openReadyFile } from './ready-file.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import type { ScenarioPlan } from '../flags/scenario-plan.ts';
import { stopSignal } from './signals.ts';
import { StartSummary } from '../format/start-summary.ts';

/** Serves the API until a signal stops it. */
export async function serve(flags: Flags): Promise<number> {
  const config = loadConfig({ flags });
  if (config.watch && config.scenario.length === 0) {
    throw new InputError('watch: there is nothing to watch; name a scenario with --scenario <file>');
  }
  const plan = await planScenario(config, flags);
  const stopped = stopSignal({ withStdin: config.stopWithStdin });
  const summary = new StartSummary(plan.effectiveSetup.assumptions ?? {});
  const ready = openReadyFile(config.readyFile);
  const sim = await createSim({ ...simOptions(config, (exchange) => summary.count(exchange)), ...plan.options });
  const { warning: note } = logFor(config.log);
  let unwatch: (() => void) | undefined;
  try {
    // Before the ready line: from then on no change may be missed.
    if (config.watch) {
      const { watchScenarios } = await import('./scenario-watcher.ts');
      unwatch = watchScenarios({ named: config.scenario, files: plan.scenario.files, sim, note });
    }
    const { url, port } = await sim.listen({ port: config.port });
    const line = readyLine(url, port, { sftpUrl: sim.sftpUrl, ftpUrl: sim.ftpUrl });
    ready.write(line);
    printResult(config.json ? line : `loyalty-sim ${packageVersion()} is ready at ${url}`);
    if (config.log === 'pretty') for (const text of formatStartBanner(config, plan, { sim, url })) printLog(text);
    for (const text of [...plan.notes, ...describeSteps(plan, config.scenario)]) note(text);
    boundHeapGrowth();
    await stopped;
  } finally {
    unwatch?.();
    await sim.close();
    ready.remove();
  }
  printSummary(config.log, summary);
  return 0;
}

/** Says that only `run` plays steps. */
function describeSteps({ scenario }: ScenarioPlan, named: readonly string[]): string[] {
  const { steps = [] } = scenario.spec;
  if (steps.length === 0) return [];
  const [count, verb] = steps.length === 1 ? ['1 step', 'is'] : [`${steps.length} steps`, 'are'];
  return [`steps: ${count} of ${named.join(', ')} ${verb} left out here; loyalty-sim run plays them`];
}

function readyLine(url: string, port: number, servers: Readonly<Record<string, string | undefined>>): string {
  return JSON.stringify({
    event: 'ready',
    url,
    adminUrl: `${url}/__admin`,
    port,
    ...servers,
    pid: process.pid,
    version: packageVersion(),
    // Counted from the start of the process.
    ms: Math.round(monotonicNow()),
  });
}

function printSummary(form: Config['log'], summary: StartSummary): void {
  flushLog();
  if (form === 'json') printNote(JSON.stringify(summary));
  if (form === 'pretty') printLines(summary.lines().map((line) => styled('bold', line)));
}

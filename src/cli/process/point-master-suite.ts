/** Implements `loyalty-sim conformance --point-master`: plays the cases of point masters with one. */
import { loadConfig } from '../../config/config.ts';
import type { Config } from '../../config/config.ts';
import { redactUrl } from '../../core/exchange/redaction.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { selectCases } from '../../explore/conformance/cases.ts';
import type { CaseResult } from '../../explore/conformance/case-result.ts';
import { isPointMasterPattern, pointMasterCatalog } from '../../explore/point-master/cases.ts';
import { pollUntil } from '../../explore/point-master/ledger.ts';
import { playPointMasterSuite } from '../../explore/point-master/suite.ts';
import type { PointMasterSuiteOptions } from '../../explore/point-master/suite.ts';
import { counted } from '../../explore/report/words.ts';
import { createSim } from '../../simulator/create-sim.ts';
import type { Sim } from '../../simulator/sim.ts';
import { isHttpUrl } from '../../webhooks/keys.ts';
import { requestPointHistory } from '../../webhooks/point-history.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import { verdictExitCodes } from '../format/exit-codes.ts';
import { freePort } from './free-port.ts';
import { clientVariables } from './judged-run.ts';
import { pointMasterProgram } from './point-master-program.ts';
import type { StartedProgram } from './point-master-program.ts';
import { stoppedCode, stopSignal } from './signals.ts';
import { printNote, showStatus } from './terminal.ts';
import type { ConformanceClient, ConformanceFlags, SuiteEnd, SuiteOptions } from './conformance-suite.ts';

/** Names a point master that runs already. */
export const runningPointMaster: ConformanceClient = { name: 'point-master', command: [], isShellLine: false };

const portWord = '{port}';

const invalidAddress = '--point-master: must be an address that begins with http:// or https://';

/** Throws `InputError` for patterns that no case matches, and for flags that mean nothing here. */
export function checkPointMasterFlags(flags: ConformanceFlags): void {
  const wrong = (flags.case ?? []).find((pattern) => !isPointMasterPattern(pattern));
  if (wrong !== undefined)
    throw new InputError(
      `--case: there is no case "${wrong}"${pointMasterCatalog.suggest(wrong, [])}; stars are allowed, such as webhook/* and balances/*`,
    );
  const meaningless = [
    ['jobs', '--jobs', 'its cases are played one after the other'],
    ['portPerRun', '--port-per-run', 'there is one run; {port} in the command is a port for the point master'],
    ['withPointMaster', '--with-point-master', 'the point master is the one under test'],
  ] as const;
  const [, flag, reason] = meaningless.find(([name]) => flags[name] !== undefined) ?? [];
  if (flag !== undefined) throw new InputError(`${flag}: means nothing with --point-master: ${reason}`);
  if (flags['mode'] !== undefined && flags['mode'] !== 'point-follower')
    throw new InputError('--mode: must be point-follower with --point-master');
}

/** Plays the cases with a point master: one that this command starts, or one that runs already. */
export async function runPointMasterSuite(
  { name, command, isShellLine }: ConformanceClient,
  { patterns, flags, timeout }: SuiteOptions,
): Promise<SuiteEnd> {
  const isProgram = command.length > 0;
  const takesPort = [flags.pointMaster ?? '', ...command].some((word) => word.includes(portWord));
  const port = takesPort ? await freePort() : undefined;
  const withPort = (text: string): string => (port === undefined ? text : text.replaceAll(portWord, String(port)));
  const url = withPort(flags.pointMaster ?? '');
  if (!isHttpUrl(url)) throw new InputError(invalidAddress);
  const addresses = Object.fromEntries(
    (['webhookUrl', 'pointMasterUrl'] as const).map((option) => [option, withPort(String(flags[option] ?? url))]),
  );
  const given = { log: 'silent', ...flags, mode: 'point-follower', ...addresses };
  const config = loadConfig({ flags: given });
  if (config.data !== undefined) printNote('note: data is left out: the suite starts from the fixtures.');
  const plan = await planScenario(config, given);
  for (const note of plan.notes) printNote(`note: ${note}`);
  if ((plan.scenario.spec.webhooks ?? []).length > 0)
    throw new InputError(
      '--scenario: a scenario with rules about webhooks is not for --point-master: the cases are them',
    );
  const sim = await createSim({ ...simOptions({ ...config, data: undefined }, () => {}), ...plan.options });
  try {
    const { url: serviceUrl } = await sim.listen({ port: isProgram && flags['port'] === undefined ? 0 : config.port });
    const probe = startProbe(addresses['pointMasterUrl'] ?? '', timeout);
    const program = isProgram
      ? pointMasterProgram({
          command,
          isShellLine,
          port,
          env: variables(sim, serviceUrl, config),
          showOutput: flags.showOutput ?? false,
          isReady: probe.isReady,
          timeout,
        })
      : undefined;
    try {
      if (program ? !(await program.start()) : !(await isUp(probe, timeout)))
        return notReady({ name, probe, program, timeout: flags.timeout });
      if (!program) printNote(`note: send balances to ${serviceUrl}, as the service has them.`);
      const { settings } = sim.tenants.default;
      const { webhook, assumptions } = settings;
      if (!webhook) throw new InputError(invalidAddress);
      return await playUntilStopped({
        tenant: sim.tenants.default,
        agreement: { tenant: sim.tenants.default.name, assumptions, webhook },
        url: addresses['pointMasterUrl'] ?? '',
        oldKey: flags.oldKey,
        program,
        timeout,
        isSelected: selectCases(patterns),
        onCase: (done) => showStatus(counted(done, 'case')),
      });
    } finally {
      await program?.close();
    }
  } finally {
    await sim.close();
  }
}

async function playUntilStopped(options: PointMasterSuiteOptions): Promise<SuiteEnd> {
  const stopped = stopSignal().then((): readonly CaseResult[] | undefined => undefined);
  const results = await Promise.race([playPointMasterSuite(options), stopped]);
  showStatus('');
  return results === undefined ? { results: [], abortCode: stoppedCode } : { results };
}

/** Returns the variables by which the program finds the service, and what it shares with it. */
const variables = (sim: Sim, url: string, config: Config): Record<string, string> => {
  const { key, secret } = sim.tenants.default.settings.webhook ?? {};
  return {
    ...clientVariables(url, config),
    ...(key !== undefined && { LOYALTY_SIM_WEBHOOK_KEY: key }),
    ...(secret !== undefined && { LOYALTY_SIM_WEBHOOK_SECRET: secret }),
  };
};

/** Names a contact that nobody has. */
const nobody = '00000000-0000-4000-8000-000000000000';

/** Tries whether a point master is up. */
interface StartProbe {
  /** Resolves to true if the point master responds by itself. */
  readonly isReady: () => Promise<boolean>;
  /** Holds the status by which a gateway said that it is not up; undefined if nobody has responded. */
  readonly gatewayStatus: () => number | undefined;
  readonly address: string;
}

/** Matches what a gateway responds while the program behind it starts. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

function startProbe(url: string, timeout: number): StartProbe {
  let status: number | undefined;
  return {
    address: redactUrl(url),
    isReady: async () => {
      // A slow history is one that is served.
      ({ status } = await requestPointHistory({
        url,
        contactId: nobody,
        signal: new AbortController().signal,
        timeout,
      }));
      return status !== undefined && !gatewayStatuses.includes(status);
    },
    gatewayStatus: () => status,
  };
}

/** Waits for a point master behind a gateway that is up; without a response nobody waits. */
async function isUp({ isReady, gatewayStatus }: StartProbe, timeout: number): Promise<boolean> {
  let isReadyNow = false;
  await pollUntil(async () => (isReadyNow = await isReady()) || gatewayStatus() === undefined, timeout);
  return isReadyNow;
}

interface NotReady {
  readonly name: string;
  readonly probe: StartProbe;
  readonly program: StartedProgram | undefined;
  readonly timeout: string | undefined;
}

function notReady({ name, probe: { address, gatewayStatus }, program, timeout = '60s' }: NotReady): SuiteEnd {
  const status = gatewayStatus();
  if (!program && status === undefined)
    throw new InputError(`--point-master: nobody responds at ${address}; start the point master first`);
  const code = program?.exitCode();
  const history = `GET ${address.replace(/\/$/, '')}/fetchPointHistory`;
  const response = status === undefined ? 'got no response' : `still got status ${status}`;
  printNote(
    code === undefined
      ? `${name}: ${history} ${response} after ${timeout}; set a longer --timeout.`
      : `${name} exited with ${code} before it responded at ${address}: fix that first.`,
  );
  return { results: [], abortCode: code || verdictExitCodes.INCONCLUSIVE };
}

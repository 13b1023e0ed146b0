/** Starts, stops and lists simulators. */
import * as z from '../../../core/validation/deferred-zod.ts';
import { tenantModes } from '../../../service/settings/tenant-options.ts';
import type { Flags } from '../../../config/config.ts';
import type { KnownSimulator } from '../simulators.ts';
import { policyField, readGivenScenario, scenarioField } from '../given-scenario.ts';
import { defineTool, targetFields } from '../tool.ts';

/** Sets a simulator up, the same for one that stays and for one that runs with a client. */
export const setupFields = {
  scenario: scenarioField.optional(),
  policy: policyField.optional(),
  fixtures: z
    .string()
    .optional()
    .describe('Fixture file, folder of them, or built-in fixture: default, empty (default: default)'),
  seed: z.int().optional().describe('Seed of ids and of chance (default: 1)'),
  now: z.string().optional().describe('Freezes the clock at this moment, such as 2026-03-01T12:00:00Z'),
  mode: z
    .enum(tenantModes)
    .optional()
    .describe('Names the keeper of the points: the service (standard), or an external point master that it follows'),
  withPointMaster: z.boolean().optional().describe('Starts a fake point master as well, and follows it'),
  assumptions: z
    .record(z.string(), z.string())
    .optional()
    .describe('Variants of what the specification leaves open, such as {"A-24":"twice"}'),
};

interface Setup {
  readonly fixtures?: string | undefined;
  readonly seed?: number | undefined;
  readonly now?: string | undefined;
  readonly mode?: string | undefined;
  readonly withPointMaster?: boolean | undefined;
  readonly assumptions?: Readonly<Record<string, string>> | undefined;
  readonly port?: number | undefined;
}

/** Returns the set-up as flags of the command line, which win over config file and environment. */
export const flagsFrom = ({
  seed,
  port,
  assumptions,
  fixtures,
  now,
  mode,
  withPointMaster,
}: Setup): Readonly<Record<string, Flags[string]>> =>
  Object.fromEntries(
    Object.entries({
      fixtures,
      now,
      mode,
      withPointMaster: withPointMaster || undefined,
      seed: seed?.toString(),
      port: port?.toString(),
      assume: assumptions && Object.entries(assumptions).map(([id, variant]) => `${id}=${variant}`),
    }).filter(([, value]) => value !== undefined),
  );

const describeSimulator = ({ id, url, adminUrl, isAttached }: KnownSimulator): string =>
  `${id}: ${url} (control API: ${adminUrl})${isAttached ? ', started elsewhere' : ''}`;

const startSimulator = defineTool({
  name: 'start_simulator',
  title: 'Start a simulator',
  description:
    'Starts a simulator of the retail customer data and loyalty service in this server, and returns its address. Point your client at `url`, by the variables in `environment`; then ask list_requests and get_verdict. To run a client once and judge it, run_client is shorter: it needs no simulator. It keeps nothing when it stops.',
  input: z.strictObject({
    ...setupFields,
    port: z.int().optional().describe('Port to listen on (default: any free one)'),
  }),
  effect: 'add',
  run: async (input, { simulators }) => {
    const scenario = await readGivenScenario(input);
    const { simulator, notes } = await simulators.start({ flags: flagsFrom(input), scenario });
    const lines = [
      `${describeSimulator(simulator)} is ready`,
      ...Object.entries(simulator.environment).map(([name, value]) => `${name}: ${value}`),
      ...notes.map((note) => `note: ${note}`),
    ];
    return { lines, data: { simulator, notes } };
  },
});

const stopSimulator = defineTool({
  name: 'stop_simulator',
  title: 'Stop a simulator',
  description: 'Stops a simulator that start_simulator started, with its data and journal.',
  input: z.strictObject({ simulator: targetFields.simulator }),
  effect: 'replace',
  run: async ({ simulator }, { simulators }) => {
    const { id } = await simulators.stop(simulator);
    return { lines: [`${id} is stopped`], data: { stopped: id } };
  },
});

const listSimulators = defineTool({
  name: 'list_simulators',
  title: 'List the simulators',
  description: 'Lists the simulators that the other tools can talk to, with their addresses.',
  input: z.strictObject({}),
  effect: 'read',
  run: async (_, { simulators }) => {
    const all = simulators.list();
    const lines = all.length === 0 ? ['none runs; start one with start_simulator'] : all.map(describeSimulator);
    return { lines, data: { simulators: all } };
  },
});

export const simulatorTools = [startSimulator, stopSimulator, listSimulators];

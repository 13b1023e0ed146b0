import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config/config.ts';
import { environmentVariableName, flagKey, flagName } from '../../src/config/options.ts';
import { parseScenario } from '../../src/scenario/scenario-parser.ts';
import type { OptionDefinition } from '../../src/core/validation/option-definition.ts';
import { tenantOptions, tenantOptionNames } from '../../src/service/settings/tenant-options.ts';
import type { TenantOptionName } from '../../src/service/settings/tenant-options.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import { webhookOptions } from '../../src/webhooks/settings.ts';
import { folderWith } from '../support/folders.ts';
import { openEmptySim } from '../support/open-sim.ts';

type Name = TenantOptionName | keyof typeof webhookOptions;

interface Wrong {
  readonly name: Name;
  readonly value: unknown;
  /** The value on the command line and in the environment, where only texts can be written. */
  readonly text?: string;
  readonly message: string;
}

const wrong: readonly Wrong[] = [
  { name: 'seed', value: -1, text: '-1', message: 'must be a whole number from 0 to 2147483647' },
  { name: 'seed', value: 2 ** 31, text: '2147483648', message: 'must be a whole number from 0 to 2147483647' },
  { name: 'seed', value: 'seven', text: 'seven', message: 'must be a whole number from 0 to 2147483647' },
  { name: 'fixtures', value: '', text: '', message: 'must not be empty' },
  { name: 'mode', value: 'follower', text: 'follower', message: 'must be one of standard, point-follower' },
  { name: 'now', value: 'today', text: 'today', message: 'must be an ISO 8601 timestamp with a UTC offset' },
  { name: 'queueDelay', value: 'P1M', text: 'P1M', message: 'must be a fixed length of time, as 30d' },
  { name: 'queueDelay', value: '36526d', text: '36526d', message: 'must be at most 36525d' },
  { name: 'queueDelay', value: -5, text: '-5', message: 'must be at least 0' },
  { name: 'importEvery', value: '0s', text: '0s', message: 'must be at least 1s' },
  { name: 'fieldValidation', value: 'lax', text: 'lax', message: 'must be one of ignore, warn, strict' },
  { name: 'assumptions', value: { 'A-99': 'x' }, text: 'A-99=x', message: 'there is no assumption "A-99"' },
  { name: 'assumptions', value: 7, message: 'must be an object of variants' },
  {
    name: 'webhookUrl',
    value: 'x',
    text: 'x',
    message: 'must be an address that begins with http:// or https://',
  },
  { name: 'webhookKey', value: 'short', text: 'short', message: '32 characters' },
  { name: 'webhookSecret', value: 'x', text: 'x', message: 'whsec_' },
  { name: 'webhookEvents', value: ['x'], text: 'x', message: 'there is no kind of event "x"' },
  {
    name: 'pointMasterUrl',
    value: 'x',
    text: 'x',
    message: 'must be an address that begins with http:// or https://',
  },
];

const all: Readonly<Record<Name, OptionDefinition>> = { ...tenantOptions, ...webhookOptions };

/** Returns what is said of a value, by the place where it is written. */
const places: Readonly<Record<string, (wrong: Wrong) => Promise<string | undefined>>> = {
  flag: async ({ name, text }) =>
    text === undefined
      ? undefined
      : refusal(() => loadConfig({ env: {}, flags: { [flagKey(name, all[name])]: [text] } })),
  environment: async ({ name, text }) =>
    text === undefined ? undefined : refusal(() => loadConfig({ env: { [environmentVariableName(name)]: text } })),
  'config file': async ({ name, value }) => {
    const folder = folderWith({ 'loyalty-sim.config.json': { [name]: value } });
    return refusal(() => loadConfig({ folder, env: {} }));
  },
  scenario: async ({ name, value }) =>
    Object.hasOwn(tenantOptions, name) ? refusal(() => parseScenario({ [name]: value })) : undefined,
  'control API': async ({ name, value }) => {
    const { sim } = await openEmptySim();
    const init = { method: 'POST', body: JSON.stringify({ name: 'a', [name]: value }) };
    const response = await sim.fetch('/__admin/tenants', { ...init, headers: { 'content-type': 'application/json' } });
    const body = (await response.json()) as { readonly validationErrors: readonly { errorDescription: string }[] };
    return body.validationErrors.map(({ errorDescription }) => errorDescription).join('\n');
  },
  createSim: async ({ name, value }) => refusal(() => createSim({ [name]: value })),
};

async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return String(error);
  }
  throw new Error('It was accepted.');
}

describe.each(Object.entries(places))('a wrong option of a tenant in %s', (_, messageFor) => {
  it.each(wrong)('is answered with its bounds: $name $value', async (one) => {
    const message = await messageFor(one);
    if (message !== undefined) expect(message).toContain(one.message);
  });
});

it('every option of a tenant has a wrong value above', () => {
  expect(new Set(wrong.map(({ name }) => name))).toEqual(
    new Set([...tenantOptionNames, ...Object.keys(webhookOptions)]),
  );
});

const { commands } = await createProgram(() => {});
const help = commands.find((command) => command.name() === 'start')?.helpInformation() ?? '';
const page = readFileSync('docs/options.md', 'utf8');
const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const openApi = jsonOf('docs/openapi.json');
const createTenant = openApi.paths['/__admin/tenants'].post.requestBody.content['application/json'].schema;

/** Returns what stands between a heading and the next one. */
const below = (text: string, heading: string, next: RegExp): string =>
  text.split(`\n${heading}\n`)[1]?.split(next)[0] ?? '';

describe.each(Object.entries(all))('the option %s of a tenant', (name, option) => {
  const flag = flagName(name, option);

  it('stands under its heading in the help', () => {
    expect(below(help, `${option.group}:`, /\n\n/)).toMatch(new RegExp(`^ +${flag} `, 'm'));
  });

  it('stands under its heading in docs/options.md, with the names that it has elsewhere', () => {
    const entry = below(page, `## ${option.group}`, /\n## /)
      .split('\n- ')
      .find((one) => one.startsWith(`**\`${flag} `));
    expect(entry).toContain(`config file \`${name}\``);
    expect(entry).toContain(`\`${environmentVariableName(name)}\``);
  });

  it('stands in the JSON schemas of config file, scenario and control API', () => {
    expect(jsonOf('docs/schema/config.schema.json').properties).toHaveProperty(name);
    expect(createTenant.properties).toHaveProperty(name);
    if (Object.hasOwn(tenantOptions, name)) {
      expect(jsonOf('docs/schema/scenario.schema.json').$defs.Scenario.properties).toHaveProperty(name);
    }
  });
});

it('a queue delay is a number of ms or a duration, wherever it is written', async () => {
  const folder = folderWith({ 'loyalty-sim.config.json': { queueDelay: 1500 } });
  const sims = await Promise.all([createSim({ queueDelay: '1500ms' }), createSim({ scenario: { queueDelay: 1500 } })]);
  expect([
    loadConfig({ folder, env: {} }).queueDelay,
    loadConfig({ env: {}, flags: { queueDelay: '1500ms' } }).queueDelay,
    ...sims.map((sim) => sim.tenants.default.settings.queueDelay),
  ]).toEqual([1500, 1500, 1500, 1500]);
});

import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { optionEntries } from '../../../src/config/options.ts';
import { parsedDefault } from '../../../src/core/validation/option-definition.ts';
import type { OptionDefinition } from '../../../src/core/validation/option-definition.ts';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';

afterEach(tidy);

const file = 'loyalty-sim.config.json';

describe('the command line', () => {
  it.each(optionEntries)('takes the default of %s as its schema would parse it', (_, option) => {
    const standard = parsedDefault(option);
    if (option.default === undefined) return expect(standard).toBeUndefined();
    expect(option.schema.parse(option.default)).toEqual(standard);
    expect(option.schema.parse(standard)).toEqual(standard);
  });

  it('takes each default as if somebody had set it', () => {
    const config = loadConfig({ folder: folderWith({}), env: {} });
    const defaults: readonly (readonly [string, OptionDefinition])[] = optionEntries;
    for (const [name, { schema, default: standard }] of defaults)
      expect({ [name]: config[name as keyof typeof config] }).toEqual({
        [name]: standard === undefined ? undefined : schema.parse(standard),
      });
  });
});

describe('what is mistyped', () => {
  it.each([
    [['strat'], "error: unknown command 'strat'\n(Did you mean start?)\n"],
    [['start', '--prot', '1'], "error: unknown option '--prot'\n(Did you mean --port?)\n"],
    [['start', '--port', 'abc'], 'error: --port: must be a port number from 0 to 65535, not "abc"\n'],
    [
      ['start', '--log', 'prety'],
      'error: --log: must be one of pretty, json, silent, not "prety"; did you mean "pretty"?\n',
    ],
    [
      ['start', '--policy', '{maxAttempts}'],
      'error: --policy: must be a JSON object such as {"maxAttempts":4}, not "{maxAttempts}"\n',
    ],
    [
      ['start', '--policy', '{"maxAttemps":4}'],
      'error: --policy.maxAttemps: is not a field here; did you mean "maxAttempts"?\n',
    ],
    [
      ['start', '--queue-delay', '15'],
      expect.stringMatching(/^error: --queue-delay: must be a duration such as 500ms.*not "15"\n$/),
    ],
    [['start', '--assume', 'A-99=x'], 'error: --assume: there is no assumption "A-99"; did you mean "A-09"?\n'],
    [
      ['start', '--now', 'today'],
      'error: --now: must be an ISO 8601 timestamp with a UTC offset between the years 1900 and 2200, as 2026-03-01T10:00:00+01:00, not "today"\n',
    ],
    [['start', '--config', '/nowhere.json'], expect.stringContaining("The config file /nowhere.json can't be read")],
  ])('is refused: %j', async (args, stderr) => {
    expect(await runCommand(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('is shown as JSON too when asked for', async () => {
    const { stdout } = await runCommand(['start', '--json', '--seed', '-1']);
    const message = '--seed: must be a whole number from 0 to 2147483647, not -1';
    expect(JSON.parse(stdout)).toEqual({ event: 'error', exitCode: 2, message });
  });

  it('of an assumption is refused with its variants', async () => {
    const { stderr } = await runCommand(['start', '--assume', 'A-24=twise']);
    expect(stderr).toBe(
      'error: --assume: A-24 (same uniqueReceiptId again) has no variant "twise"; it has default, twice; did you mean "twice"?\n',
    );
  });

  it('in the environment is refused', async () => {
    const { code, stderr } = await runCommand(['start'], { env: { LOYALTY_SIM_PROT: '1' } });
    expect(code).toBe(2);
    expect(stderr).toBe('error: There is no environment variable LOYALTY_SIM_PROT; did you mean "LOYALTY_SIM_PORT"?\n');
  });

  it('by two letters in the wrong order is known', async () => {
    const { stderr } = await runCommand(['start'], { folder: folderWith({ [file]: '{"prot": 1}' }) });
    expect(stderr).toContain('prot: is not an option; did you mean "port"?');
  });

  it('in the config file is refused with its line and column', async () => {
    const content = '{\n  "port": "4010",\n  "fixturs": "x.json",\n  "assumptions": { "A-24": "twise" }\n}\n';
    const folder = folderWith({ [file]: content });
    const { code, stderr } = await runCommand(['start'], { folder });
    const places = stderr.split('\n').map((line) => /config\.json:\d+:\d+: [\w.-]+/.exec(line)?.[0]);
    expect(code).toBe(2);
    expect(places).toEqual([
      'config.json:2:3: port',
      'config.json:3:3: fixturs',
      'config.json:4:20: assumptions.A-24',
      undefined,
    ]);
    expect(stderr).toContain('fixturs: is not an option; did you mean "fixtures"?');
  });
});

describe('options', () => {
  it('are merged from file, environment and flags', () => {
    const folder = folderWith({
      [file]: { $schema: './x', port: 1, seed: 1, queueDelay: '1s', assumptions: { 'A-24': 'twice' } },
    });
    const env = {
      LOYALTY_SIM_PORT: '2',
      LOYALTY_SIM_SEED: '2',
      LOYALTY_SIM_ASSUMPTIONS: 'A-06=requested',
      LOYALTY_SIM_URL: 'x',
    };
    const flags = { port: '3', assume: ['A-08=object'], apiKey: ['a', 'b'] };
    expect(loadConfig({ folder, env, flags })).toMatchObject({
      port: 3,
      seed: 2,
      queueDelay: 1000,
      assumptions: { 'A-24': 'twice', 'A-06': 'requested', 'A-08': 'object' },
      apiKeys: ['a', 'b'],
      log: 'pretty',
    });
  });

  it('take paths of the config file from its own folder, but not the fixtures that come along', () => {
    const folder = folderWith({ 'a.json': { fixtures: 'shop.json', data: '/x' }, 'b.json': { fixtures: 'empty' } });
    const read = (config: string) => loadConfig({ folder, env: {}, flags: { config } });
    expect([read('a.json').fixtures, read('a.json').data, read('b.json').fixtures]).toEqual([
      `${folder}/shop.json`,
      '/x',
      'empty',
    ]);
  });

  it('reach the simulator', async () => {
    const folder = folderWith({ [file]: { apiKeys: ['till-1'], now: '2026-03-01T12:00:00Z' } });
    const { url } = await startCommand([], { folder, env: { LOYALTY_SIM_FIELD_VALIDATION: 'strict' } });
    const statusOf = async (path: string, apikey: string): Promise<number> =>
      (await fetch(`${url}/api/v3/${path}`, { headers: { apikey } })).status;
    expect(await statusOf('contacts/count', 'till-2')).toBe(401);
    expect(await statusOf('contacts/count', 'till-1')).toBe(200);
    expect(await statusOf('contacts/count?ofset=1', 'till-1')).toBe(400);
  });
});

describe('a name that was replaced', () => {
  it.each([
    [['master'], 'There is no command "master"; it is called "point-master" now'],
    [['start', '--with-master'], 'There is no option --with-master; it is called "--with-point-master" now'],
    [['exec', '--scenarios=a.yaml', '--', 'true'], 'There is no option --scenarios; it is called "--matrix" now'],
    [['conformance', '--limit', '2s', '--', 'true'], 'There is no option --limit; it is called "--timeout" now'],
  ])('is refused with the new one on the command line: %j', async (args, message) => {
    expect(await runCommand(args)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
  });

  it('is none behind --, where the words of another command stand', async () => {
    expect(await runCommand(['exec', '--', 'true', '--with-master'])).toMatchObject({ code: 3 });
  });

  it('is refused with the new one in the config file', () => {
    const folder = folderWith({ [file]: { apiKey: ['till-1'], withMaster: true } });
    expect(() => loadConfig({ folder, env: {} })).toThrow(
      /apiKey: is not an option; it is called "apiKeys" now\n.*withMaster: is not an option; it is called "withPointMaster" now/,
    );
  });

  it('is refused with the new one in the environment', () => {
    const env = { LOYALTY_SIM_WITH_MASTER: 'true' };
    expect(() => loadConfig({ folder: folderWith({}), env })).toThrow(
      'There is no environment variable LOYALTY_SIM_WITH_MASTER; it is called "LOYALTY_SIM_WITH_POINT_MASTER" now',
    );
  });
});

describe('the help', () => {
  it.each([
    ['start', 'port to serve on; 0 takes any free one (default: 4010)'],
    ['exec', 'port of the simulator (default: any free one)'],
    ['run', 'to call (default: any free one)'],
  ])('of %s says which port is taken', async (verb, words) => {
    const { stdout } = await runCommand([verb, '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
  });
});

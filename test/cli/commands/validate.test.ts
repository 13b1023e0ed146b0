import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';

afterEach(tidy);

describe('validate', () => {
  it('passes what is right', async () => {
    const folder = folderWith({ 'loyalty-sim.config.json': { port: 0 }, 'shop.json': { stores: [] } });
    const { code, stdout } = await runCommand(['validate', 'loyalty-sim.config.json', 'shop.json'], { folder });
    expect(code).toBe(0);
    expect(stdout).toBe('loyalty-sim.config.json: a valid config\nshop.json: a valid fixture\n');
  });

  it.each([
    [
      'loyalty-sim.config.json',
      { name: 'shop', assumptions: { 'A-24': 'twice' } },
      'loyalty-sim.config.json:2:3: name: ',
    ],
    [
      'loyalty-sim.config.json',
      { port: 0, assumptions: { 'A-24': 'twice' } },
      'loyalty-sim.config.json: a valid config',
    ],
    ['sim.json', { port: 0, assumptions: { 'A-24': 'twice' } }, 'sim.json: a valid config'],
    ['day.json', { name: 'day', assumptions: { 'A-24': 'twice' } }, 'day.json: a valid scenario'],
    ['night.json', { imports: [{ fault: 'refuse', times: 1 }] }, 'night.json: a valid scenario'],
  ])('tells a config file from a scenario: %s with %j', async (name, content, printed) => {
    const { stdout } = await runCommand(['validate', name], { folder: folderWith({ [name]: content }) });
    expect(stdout).toContain(printed);
  });

  it('passes the config file of docs/options.md', async () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(readFileSync('docs/options.md', 'utf8')) ?? [];
    const folder = folderWith({ 'loyalty-sim.config.json': example });
    const { code, stdout } = await runCommand(['validate', 'loyalty-sim.config.json'], { folder });
    expect([code, stdout]).toEqual([0, 'loyalty-sim.config.json: a valid config\n']);
  });

  it('says of fixtures and config files what is wrong and where', async () => {
    const folder = folderWith({
      'other.json': '{\n  "fixturs": 1\n, "seed": 1}',
      'shop.json': '{\n  "storess": []\n}',
    });
    const { code, stdout } = await runCommand(['validate', 'other.json', 'shop.json'], { folder });
    expect(code).toBe(2);
    expect(stdout).toBe(
      'other.json:2:3: fixturs: is not an option; did you mean "fixtures"?\n' +
        'shop.json:2:3: storess: is not a section of a fixture; did you mean "stores"?\n',
    );
  });

  it('reads no fixture endlessly deep', async () => {
    const folder = folderWith({ 'shop.json': `{"contacts": ${'['.repeat(20_000)}` });
    const { code, stdout } = await runCommand(['validate', 'shop.json'], { folder });
    expect(code).toBe(2);
    expect(stdout).toBe('shop.json:1:114: is nested deeper than 100 levels\n');
  });

  it('says it as JSON', async () => {
    const folder = folderWith({ 'shop.json': '[1,]' });
    const { code, stdout } = await runCommand(['validate', '--json', 'shop.json'], { folder });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      event: 'validated',
      valid: false,
      files: [
        {
          file: 'shop.json',
          kind: 'fixture',
          diagnostics: [
            {
              severity: 'error',
              path: '[1]',
              message: expect.stringContaining('is not valid JSON'),
              file: 'shop.json',
              line: 1,
              column: 4,
            },
          ],
        },
      ],
    });
  });

  it('checks scenarios, recognized by their ending or by what stands in them', async () => {
    const folder = folderWith({
      'a.yaml': 'rules:\n  - fault: 504\n    tims: 2\n',
      'b.json': '{"rules": [{"fault": 504}, {"fault": 500}]}',
    });
    const { code, stdout } = await runCommand(['validate', 'a.yaml', 'b.json'], { folder });
    expect([code, stdout]).toEqual([
      2,
      'a.yaml:3:5: rules[0].tims: is not a field here; did you mean "times"?\nb.json: a valid scenario\n' +
        'note: b.json:1:28: rules[1]: never fires: rules[0] comes first, matches the same requests and never ends\n',
    ]);
  });

  it('notes that rules for a point master need one, and says where they stand', async () => {
    const folder = folderWith({ 'a.json': '{"pointMaster": [{"fault": "stale-sync"}]}' });
    const { code, stdout } = await runCommand(['validate', 'a.json'], { folder });
    expect([code, stdout]).toEqual([
      0,
      'a.json: a valid scenario\nnote: a.json:1:2: pointMaster: needs a point master: ' +
        'start and exec require --with-point-master, run starts one itself\n',
    ]);
  });

  it('shows signs that would steer the terminal', async () => {
    const folder = folderWith({ 'a.yaml': 'rules: [{ fault: 500, match: { endpoint: "\\e[2J\\x9b\\u202ex" } }]' });
    const { code, stdout } = await runCommand(['validate', 'a.yaml'], { folder });
    expect(code).toBe(2);
    expect(stdout).toContain(String.raw`is "\u001b[2J\u009b\u202ex", and there is no endpoint of this id`);
  });

  it.each([
    {
      step: { request: 'GET /api/v3/contact/count' },
      note: 'request: no endpoint is served at /api/v3/contact/count; did you mean "/api/v3/contacts/count"?',
    },
    {
      step: { request: { path: '/api/v3/nothing' } },
      note: 'request.path: no endpoint is served at /api/v3/nothing; did you mean "/api/v3/stores"?',
    },
    {
      step: { request: 'GET /api/v3/contacts/id?mobilePhone=+46701234567' },
      note: 'request: has a + in its query, which means a space: write %2B for a plus sign',
    },
    {
      step: { request: 'GET /api/v3/stores', expect: { within: 2 } },
      note: 'expect.within: is 2 ms; write "2s" for seconds',
    },
    {
      step: { waitFor: { request: { endpoint: 'createReceipt' }, within: 30 } },
      note: 'waitFor.within: is 30 ms; write "30s" for seconds',
    },
  ])('asks back what a step hardly means: $note', async ({ step, note }) => {
    const { code, stdout } = await runCommand(['validate', 'a.json'], {
      folder: folderWith({ 'a.json': { steps: [step] } }),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^a\.json: a valid scenario\nnote: a\.json:\d+:\d+: steps\[0\]\.[^\n]+\n$/);
    expect(stdout).toContain(`steps[0].${note}\n`);
  });

  it.each([
    { request: 'GET /api/v3/nothing', expect: { status: 404 } },
    { request: 'GET /api/v3/nothing', expect: { status: '4xx' } },
    { request: 'GET /api/v3/contacts/${id}', expect: { within: '2s' } },
    { request: 'GET ${path}' },
    { request: 'GET /api/v3/contacts/id?mobilePhone=%2B46701234567' },
  ])('asks nothing back of the step %j', async (step) => {
    const made = { request: { method: 'POST', path: '/api/v3/contacts', body: {} }, capture: { id: 'id', path: '$' } };
    const folder = folderWith({ 'a.json': { steps: [made, step] } });
    const { stdout } = await runCommand(['validate', 'a.json'], { folder });
    expect(stdout).toBe('a.json: a valid scenario\n');
  });
});

import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/core/validation/diagnostic.ts';
import { loadScenarios, readScenarioFile } from '../../src/scenario/load.ts';
import { folderWith, tidyFolders } from '../support/folders.ts';

afterEach(tidyFolders);

/** What is said of a file, without its folder. */
function toldOf(text: string, name = 'a.yaml'): string {
  const folder = folderWith({ [name]: text });
  try {
    return readScenarioFile(join(folder, name)).warnings.map(formatDiagnostic).join('\n').replaceAll(`${folder}/`, '');
  } catch (error) {
    expect(error).toHaveProperty('name', 'InputError');
    return error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : '';
  }
}

const rule = (fields: string): string => `rules:\n  - ${fields}\n`;

const ten = (of: string): string => `[${Array.from({ length: 10 }, () => of).join(', ')}]`;

const fieldLines = (count: number): string[] => Array.from({ length: count }, (_, n) => `  f${n}: 1`);

describe('the reader of scenario files', () => {
  it('reads what a person wrote, in YAML or JSON', () => {
    const folder = folderWith({
      'shop.json': {},
      'a.yaml': 'name: outage\nfixtures: shop.json\nqueueDelay: 15m\nrules:\n  - fault: [504, ok]\n',
      'b.json': { name: 'outage', queueDelay: 900_000, rules: [{ fault: [504, 'ok'] }], fixtures: 'shop.json' },
    });
    const fixtures = join(folder, 'shop.json');
    const spec = { name: 'outage', fixtures, queueDelay: 900_000, rules: [{ fault: [504, 'ok'] }] };
    expect(readScenarioFile(join(folder, 'a.yaml')).spec).toEqual(spec);
    expect(readScenarioFile(join(folder, 'b.json')).spec).toEqual(spec);
  });

  it('refuses files that have too many rules together', () => {
    const rules = Array.from({ length: 501 }, () => ({ fault: 503 }));
    const folder = folderWith({ 'a.json': { rules }, 'b.json': { rules }, 'c.json': { rules: rules.slice(2) } });
    const [a = '', b = '', c = ''] = ['a.json', 'b.json', 'c.json'].map((name) => join(folder, name));
    expect(() => loadScenarios([a, b])).toThrow(`${a} and ${b}: rules: must have at most 1000 rules`);
    expect(loadScenarios([a, c]).spec.rules).toHaveLength(1000);
  });

  it('names every mistake in the order of their places', () => {
    const told = toldOf(`descripton: x
mode: follower
assumptions: {A-24: twize}
rules:
  - {id: a, fault: [500, {status: 900, phaze: after}], tims: 2}
  - {id: a, fault: CONECTION_RESET_BY_PEER}
`);
    expect(told.split('\n').map((line) => line.replace(/ \(.*\)/, ''))).toEqual([
      'a.yaml:1:1: descripton: is not a field here; did you mean "description"?',
      'a.yaml:2:1: mode: must be one of standard, point-follower, not "follower"',
      expect.stringMatching(/^a\.yaml:3:15: assumptions\.A-24: A-24 has no variant "twize".*did you mean "twice"\?$/),
      'a.yaml:5:27: rules[0].fault[1].status: must be a status from 200 to 599, not 900',
      'a.yaml:5:40: rules[0].fault[1].phaze: is not a field here; did you mean "phase"?',
      'a.yaml:5:56: rules[0].tims: is not a field here; did you mean "times"?',
      'a.yaml:6:6: rules[1].id: is "a", which is the id of rules[0] too: ids must be unique',
      expect.stringMatching(/^a\.yaml:6:13: rules\[1\].fault: must be .*"CONNECTION_RESET_BY_PEER"\?$/),
    ]);
  });

  it('says which rules can never do anything', () => {
    const told = toldOf(`now: 2026-03-01T10:00:00Z
rules:
  - {fault: 500, match: {method: GET}}
  - {fault: 504, match: {method: GET, path: /api/v3/reciepts}}
  - {fault: 504, until: 2026-03-01T09:00:00Z}
  - {fault: {job: fail}, match: {endpoint: [getContact, listStores]}}
  - {fault: {job: fail}, match: {endpoint: [getContact, createReceipt]}}
`);
    expect(told.split('\n')).toEqual([
      'a.yaml:4:5: rules[1]: never fires: rules[0] comes first, matches the same requests and never ends',
      'a.yaml:4:39: rules[1].match.path: no endpoint is served at /api/v3/reciepts; did you mean "/api/v3/receipts"?',
      'a.yaml:5:18: rules[2].until: is over when the scenario begins, at 2026-03-01T10:00:00Z: the rule never fires',
      'a.yaml:6:14: rules[3].fault.job: listStores, getContact queues no job',
    ]);
  });

  it('looks for fixtures beside the file', () => {
    expect(toldOf('fixtures: shop.jso')).toMatch(/^a\.yaml:1:1: fixtures: there is no file or folder .*shop\.jso$/);
  });
});

describe('of a form that may be one of several', () => {
  it.each([
    ['fault: true', ':2:5: rules[0].fault: must be a status such as 504, a name such as CONNECTION'],
    ['fault: 7', ':2:5: rules[0].fault: must be a status from 200 to 599, not 7'],
    ['match: {}', ':2:5: rules[0].fault: is required: a status such as 504'],
    ['fault: {job: fial}', ':2:13: rules[0].fault.job: must be fail, not "fial"; did you mean "fail"?'],
    ['fault: {delay: -5}', ':2:13: rules[0].fault.delay: must be at least 0, not -5'],
    ['fault: {dribble: {chunks: 2}}', ':2:13: rules[0].fault.dribble.interval: is required: a number of milliseconds'],
    ['fault: {delay: soon}', ':2:13: rules[0].fault.delay: must be a duration such as'],
    ['fault: {delay: {fixd: 3}}', ':2:21: rules[0].fault.delay.fixd: is not a field here; did you mean "fixed"?'],
    ['fault: {delay: {uniform: [1]}}', ':2:21: rules[0].fault.delay.uniform: must be a list of two'],
    [
      'fault: 500\n    match: {endpoint: [createReceipt, 3]}',
      ':3:39: rules[0].match.endpoint[1]: must be a text, not 3',
    ],
    ['fault: 500\n    match: {endpoint: creatReceipt}', '; did you mean "createReceipt"?'],
  ])('it says what is wrong with the one that was meant: %s', (fields, told) => {
    expect(toldOf(rule(fields))).toContain(told);
  });
});

describe('in steps', () => {
  it.each([
    [
      'trigger: { event: adjustPoint }',
      '2:16: steps[0].trigger.event: must be one of adjustPoints, convertPoints, switchPendingPoints, ' +
        'assignChallenge, assignPromotion, syncBalances, not "adjustPoint"; did you mean "adjustPoints"?',
    ],
    ['restore: before', '2:5: steps[0].restore: is "before", and no step before it stores a snapshot of this name'],
    ['clearFaults: lost', '2:5: steps[0].clearFaults: is "lost", and no step before it adds a rule of this id'],
    [
      'snapshot: before\n  - restore: bfore',
      '3:5: steps[1].restore: is "bfore", and no step before it stores a snapshot of this name; did you mean "before"?',
    ],
    [
      'trigger: { event: syncBalances, amount: 5 }',
      '2:37: steps[0].trigger.amount: is not a field here; there are event',
    ],
    [
      'trigger: { event: convertPoints, contactId: a, definitonId: 1, definitionId: 1 }',
      '2:52: steps[0].trigger.definitonId: is not a field here; did you mean "definitionId"?',
    ],
    [
      'trigger: { event: adjustPoints, contactId: a, definitionId: 1, amount: many }',
      '2:68: steps[0].trigger.amount: must be a finite number, not "many"',
    ],
    [
      'trigger: { event: adjustPoints, contactId: a, definitionId: 1, amount: 1, reason: why }',
      '2:79: steps[0].trigger.reason: does not belong to what is done by: manual; that has userId, userName',
    ],
    [
      'request: GET /a\n    capture: { a b: id }',
      '3:16: steps[0].capture.a b: must be a name of letters, digits and _',
    ],
    [
      'request: GET /a\n    expect: { headers: { a: { matches: 5 } } }',
      '3:31: steps[0].expect.headers.a.matches: must be a text, not 5',
    ],
    ['queue: { step: 0 }', '2:14: steps[0].queue.step: must be at least 1, not 0'],
  ])('what can’t be played is told before anything is: %s', (step, told) => {
    expect(toldOf(`steps:\n  - ${step}\n`)).toBe(`a.yaml:${told}`);
  });

  it.each([
    'snapshot: before\n  - restore: before',
    'fault: { id: lost, fault: 504 }\n  - clearFaults: lost',
    'fault: { fault: 504 }\n  - clearFaults: fault-1',
    "request: GET /api/v3/stores\n    capture: { name: '[0].name' }\n  - restore: '${name}'",
    "request: GET /api/v3/stores\n    capture: { n: '[0].x' }\n  - trigger: { event: adjustPoints, contactId: '${n}', definitionId: 1, amount: '${n}' }",
  ])('what an earlier step gives is known: %s', (steps) => {
    expect(toldOf(`steps:\n  - ${steps}\n`)).toBe('');
  });
});

describe('of a text that is not YAML, or not only', () => {
  it.each([
    ['name: a\nname: b', '2:1: name: stands twice in the same object'],
    ['name: 007', '1:7: name: would be read as 7; put it in quotes to have it stands'],
    ['rules: *all', '1:8: *all stands for nothing: there is no &all before it'],
    ['rules: &all\n  - *all', '2:5: *all stands for what it is a part of'],
    ['name: a\n---\nname: b', '2:1: a second document begins here; keep one to a file'],
    ['name: !secret a', '1:7: is not valid YAML: tags such as !name are not known here; leave it out'],
    ['<<: {name: a}', '1:1: <<: merging by << is not done here; write out the fields'],
    ['__proto__: {name: a}', "1:1: __proto__: can't be the name of a field"],
    ['name: a\0', '1:8: holds the control character U+0000, which no text has'],
    ['rules:\n  - id: a\n\tfault: 500', '3:1: is not valid YAML: a tab; indent with spaces'],
    [
      'name: a: b',
      '1:7: is not valid YAML: there is a second ": " in the line; put a text with a colon in it in quotes',
    ],
    ['', '1:1: must be an object with fields such as name, description and rules'],
  ])('it says where: %j', (text, told) => {
    expect(toldOf(text)).toBe(`a.yaml:${told}`);
  });

  it.each([['['.repeat(50_000)], ['- '.repeat(10_000)], ['{a: '.repeat(10_000)]])(
    'it is not read endlessly deep',
    (text) => {
      expect(toldOf(text)).toMatch(/^a\.yaml:1:\d+: is nested deeper than 100 levels$/);
      expect(toldOf(text, 'a.json')).toMatch(/^a\.json:1:\d+: is nested deeper than 100 levels$/);
    },
  );

  it('an object may have 1,000 fields, whatever stands behind the last one', () => {
    const [whole, wide] = [fieldLines(1000).join('\n'), fieldLines(1001).join('\n')];
    expect(toldOf(`a:\n${whole}\n  # the end\n`)).not.toContain('fields');
    const flow = `a: {${fieldLines(1000).join(',')},\n  # the end\n}`;
    expect(toldOf(flow)).not.toContain('more than');
    expect(toldOf(`b: 1\na:\n${wide}\nc:\n${wide}`)).toBe('a.yaml:3:3: has an object with more than 1000 fields');
    expect(
      toldOf(
        `{"a": {${fieldLines(1001)
          .join(',')
          .replaceAll(/(f\d+)/g, '"$1"')}}}`,
        'a.json',
      ),
    ).toBe('a.json:1:7: has an object with more than 1000 fields');
  });

  it('a text may have 250,000 characters, and a comment more', () => {
    const long = 'x'.repeat(250_001);
    expect(toldOf(`# ${long}\nname: a\nb: ${long}`)).toBe('a.yaml:3:4: holds a text of more than 250000 characters');
    expect(toldOf(`# ${long}\nname: a\nb: ${'x'.repeat(249_998)}`)).not.toContain('characters');
  });

  it('aliases that multiply are refused', () => {
    const text = `a: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\nd: ${ten('*c')}\n`;
    expect(toldOf(text)).toBe('a.yaml:1:1: its aliases (*name) stand for too much; write out what they mean');
  });

  it('JSON is told by the rules of JSON', () => {
    expect(toldOf('{"name": "a", // why\n}', 'a.json')).toMatch(/^a\.json:1:15: is not valid JSON: expected a name/);
  });
});

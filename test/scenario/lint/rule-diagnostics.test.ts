import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

/** `field: what is wrong`, for each mistake of a rule that is sent. */
async function mistakesOf(rule: unknown): Promise<string[]> {
  const { status, body } = await (await openEmptySim()).post('/__admin/faults', rule);
  expect(status).toBe(400);
  return body.validationErrors.map(
    ({ field, errorDescription }: Record<string, string>) => `${field}: ${errorDescription}`,
  );
}

describe('the check of rules', () => {
  it('names every mistake of a rule, with its place', async () => {
    const mistakes = await mistakesOf({
      match: { endpoint: ['creatReceipt', 'getContact'], method: 'POST', pth: '/x' },
      fault: [{ phase: 'befor', status: 500 }, 'CONECTION_RESET_BY_PEER', 99],
      tmes: 2,
      times: 0,
    });
    expect(mistakes.map((mistake) => mistake.replace(/ \(.*/, ''))).toEqual([
      'fault[0].phase: must be before or after, not "befor"; did you mean "before"?',
      expect.stringMatching(/^fault\[1\]: must be .*; did you mean "CONNECTION_RESET_BY_PEER"\?$/),
      'fault[2]: must be a status from 200 to 599, not 99',
      'times: must be at least 1, not 0',
      'match.pth: is not a field here; did you mean "path"?',
      'tmes: is not a field here; did you mean "times"?',
      'match.endpoint[0]: is "creatReceipt", and there is no endpoint of this id; did you mean "createReceipt"?',
      'match.method: is POST, but getContact is called with GET: leave method out',
    ]);
  });

  it('tells every rule whose id was taken, among very many', async () => {
    const { call } = await openEmptySim();
    const rules = Array.from({ length: 998 }, (_, i) => ({ id: `r-${i}`, fault: 503 }));
    const body = { rules: [...rules, { id: 'r-7', fault: 500 }, { fault: 42 }] };
    const answer = await call('PUT', '/__admin/scenario', { body });
    expect([answer.status, answer.body.validationErrors.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['rules[999].fault', 'rules[998].id'],
    ]);
  });

  it('refuses more rules than a request can be held against in a short time', async () => {
    const { call } = await openEmptySim();
    const rules = Array.from({ length: 1001 }, () => ({ fault: 503 }));
    const { body } = await call('PUT', '/__admin/scenario', { body: { rules } });
    expect(body.validationErrors).toEqual([{ field: 'rules', errorDescription: 'must have at most 1000 rules' }]);
    expect((await call('PUT', '/__admin/scenario', { body: { rules: rules.slice(1) } })).status).toBe(200);
  });
});

/** Names so many fields, each with a pattern. */
const patterns = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { matches: `x${n}` }]));

const status = { fault: 500 };

describe('what can’t mean anything is refused', () => {
  it.each<[object, string]>([
    [{}, 'fault: is required'],
    [{ ...status, match: { method: 'PSOT' } }, 'match.method: is "PSOT", which is no method; did you mean "POST"?'],
    [{ ...status, match: { path: 'api/v3' } }, 'match.path: must begin with / or *'],
    [{ ...status, match: { path: '/a?b=1' } }, 'match.path: has a query: name its parameters under match.query'],
    [{ ...status, match: { path: '/t/x/a' } }, 'match.path: has a tenant in front: leave /t/<name> out'],
    [{ ...status, match: { path: '/__admin/faults' } }, 'match.path: belongs to the control API'],
    [{ ...status, match: { endpoint: 'getContact', path: '/api/v3/stores' } }, 'match.path: is /api/v3/stores, but'],
    [
      { ...status, match: { headers: { a: { matchs: 'x' } } } },
      'match.headers.a.matchs: is not a test of a value; did',
    ],
    [{ ...status, match: { query: { a: null } } }, 'match.query.a: must be a text or a number'],
    [{ ...status, match: { body: { a: { contains: 'x', is: 1 } } } }, 'match.body.a.is: is not a test of a value'],
    [{ ...status, match: { body: { a: { b: { matches: '(' } } } } }, 'match.body.a.b.matches: is not a regular'],
    [{ ...status, match: { body: { a: { oneOf: [] } } } }, 'match.body.a.oneOf: must have at least one value'],
    [{ ...status, match: { body: { a: { exists: false, contains: 'x' } } } }, 'match.body.a.exists: is false'],
    [{ ...status, match: { body: { a: { atLeast: 2, atMost: 1 } } } }, 'match.body.a.atLeast: is 2, more than atMost'],
    [
      { ...status, match: JSON.parse('{"body":{"__proto__":1}}') },
      "match.body.__proto__: can't be the name of a field",
    ],
    [{ ...status, match: { body: { 'a..b': 1 } } }, 'match.body.a..b: is not a path'],
    [
      { ...status, match: { body: patterns(11), query: patterns(10) } },
      'match: has 21 patterns (matches), more than 20',
    ],
    [{ ...status, match: { method: 'GET', body: { a: 1 } } }, 'match.body: is matched, and a GET request has none'],
    [
      { ...status, match: { headers: { apikey: { matches: '(KEY' } } } },
      'match.headers.apikey.matches: is not a regular expression in RE2 syntax: missing closing ) (',
    ],
    [{ ...status, match: { headers: { apikey: '(hidden)' } } }, 'match.headers.apikey: is (hidden), which stands for'],
    [{ ...status, match: { nth: 1 }, nth: 1 }, 'nth: stands in match too'],
    [{ ...status, nth: 3, skip: 1 }, 'skip: contradicts nth'],
    [{ fault: [500, 502], probability: 0.5 }, 'probability: contradicts a sequence'],
    [{ ...status, probability: 1.5 }, 'probability: must be from 0 to 1'],
    [
      { ...status, from: '2026-03-01T10:00:00Z', until: '2026-03-01T10:00:00Z' },
      'until: is 2026-03-01T10:00:00Z, no later',
    ],
    [{ fault: [] }, 'fault: must have at least one fault'],
    [{ fault: { phase: 'after' } }, 'fault: does nothing'],
    [{ fault: { respond: 'status' } }, 'fault.status: is required'],
    [
      { fault: { status: 504, respond: 'none' } },
      'fault.status: is the status of a response made by the fault, and respond is none',
    ],
    [{ fault: { status: 504, bytes: 3 } }, 'fault.bytes: limits how much of a cut'],
    [{ fault: { status: 204, body: {} } }, 'fault.body: can’t go with status 204'.replace('’', "'")],
    [{ fault: { status: 204, respond: 'partial' } }, "fault.respond: can't be partial of status 204"],
    [{ fault: { status: 304, dribble: { chunks: 2, interval: 1 } } }, "fault.dribble: can't go with status 304"],
    [{ fault: { respond: 'garbage', bytes: 1e9 } }, 'fault.bytes: must be at most 16777216'],
    [{ fault: { respond: 'garbage', bytes: 0 } }, 'fault.bytes: must be at least 1'],
    [{ fault: { respond: 'none', headers: { a: 'b' } } }, 'fault.headers: is part of a response made by the fault'],
    [{ fault: { status: 500, headers: { 'Content-Length': '3' } } }, 'fault.headers.Content-Length: follows from'],
    [{ fault: { status: 500, headers: { 'a b': 'c' } } }, 'fault.headers.a b: is not a name'],
    [{ fault: { status: 500, headers: { a: 'c\r\nd: e' } } }, 'fault.headers.a: has characters'],
    [{ fault: { delay: {} } }, 'fault.delay: must name exactly one of fixed, uniform, lognormal: none is there'],
    [{ fault: { delay: { uniform: [5, 3] } } }, 'fault.delay.uniform: must name the least first'],
    [{ fault: { delay: { lognormal: { median: 5, p99: 3 } } } }, 'fault.delay.lognormal: must have a median'],
    [{ fault: { delay: '3 parsecs' } }, 'fault.delay: must be'],
    [{ fault: { delay: 'P1M' } }, 'fault.delay: must be a fixed length of time, as 30d, not "P1M"'],
    [{ fault: { delay: 1e308 } }, 'fault.delay: must be at most 24h, not 1e+308'],
    [{ fault: { delay: { uniform: ['1s', '25h'] } } }, 'fault.delay.uniform: must be at most 24h in real time'],
    [
      { fault: { delay: { fixed: '36526d', time: 'virtual' } } },
      'fault.delay.fixed: must be at most 36525d, not "36526d"',
    ],
    [{ fault: { dribble: { chunks: 2, interval: '25h' } } }, 'fault.dribble.interval: must be at most 24h, not "25h"'],
    [
      { fault: { dribble: { pieces: 2, interval: 1 } } },
      'fault.dribble.pieces: is not a field here; it is called "chunks" now',
    ],
    [
      { fault: { dribble: { chunks: 2, pause: 1 } } },
      'fault.dribble.pause: is not a field here; it is called "interval" now',
    ],
    [{ fault: { end: 'client' } }, 'fault.end: must be one of normal, close, reset, hang, not "client"'],
    [{ fault: { job: { delay: 1e300 } } }, 'fault.job.delay: must be at most 36525d'],
    [{ ...status, match: { headers: { 'x y': '1' } } }, 'match.headers.x y: is not a name that a header can have'],
    [
      { ...status, match: { headers: { Accept: 'a', accept: 'b' } } },
      'match.headers.accept: is the header Accept again: case makes no difference',
    ],
    [{ fault: { status: 500, headers: { x: '1', X: '2' } } }, 'fault.headers.X: is the header x again'],
    [{ ...status, id: 'a\nb' }, 'id: must have no line breaks or other control characters'],
    [{ ...status, id: 'a'.repeat(201) }, 'id: must have at most 200 characters'],
    [{ fault: '600' }, 'fault: must be a status from 200 to 599, or one of CONNECTION_RESET_BY_PEER'],
    [
      { fault: JSON.parse('{"status":500,"headers":{"__proto__":"a"}}') },
      "fault.headers.__proto__: can't be the name of a field",
    ],
  ])('%j: %s', async (rule, mistake) => {
    expect((await mistakesOf(rule)).filter((told) => told.startsWith(mistake))).toHaveLength(1);
  });

  it('but not what takes long on the tenant’s clock', async () => {
    const rule = { fault: { delay: { fixed: '30d', time: 'virtual' }, job: { delay: '400d' } } };
    expect((await (await openEmptySim()).post('/__admin/faults', rule)).status).toBe(201);
  });

  it('in test code as an error', async () => {
    const { sim } = await openEmptySim();
    const adding = sim.faults.add({ fault: 'ok', match: { endpoint: 'getContct' } });
    await expect(adding).rejects.toThrow('rule: match.endpoint: is "getContct"');
  });
});

it.each([
  ['assumptions.__proto__', '{"assumptions":{"__proto__":"a"}}'],
  ['webhooks[0].match.payload.__proto__', '{"webhooks":[{"fault":"drop","match":{"payload":{"__proto__":1}}}]}'],
  ['webhooks[0].match.payload.a.matches', '{"webhooks":[{"fault":"drop","match":{"payload":{"a":{"matches":"("}}}}]}'],
  ['steps[0].capture.__proto__', '{"steps":[{"request":"GET /a","capture":{"__proto__":"id"}}]}'],
  ['steps[0].request.query.__proto__', '{"steps":[{"request":{"path":"/a","query":{"__proto__":"1"}}}]}'],
  ['expectations[0].state.fields.__proto__', '{"expectations":[{"state":{"contact":"a","fields":{"__proto__":1}}}]}'],
  [
    'expectations[0].state.consents.a.matches',
    '{"expectations":[{"state":{"contact":"a","consents":{"a":{"matches":"("}}}}]}',
  ],
  [
    'expectations[0].state.count.contacts.matches',
    '{"expectations":[{"state":{"count":{"contacts":{"matches":"("}}}}]}',
  ],
  [
    'expectations[0].state',
    JSON.stringify({ expectations: [{ state: { contact: 'a', consents: patterns(12), fields: patterns(9) } }] }),
  ],
  ['steps[0].request.headers.x y', '{"steps":[{"request":{"path":"/a","headers":{"x y":"1"}}}]}'],
  ['steps[0].request.headers.x', '{"steps":[{"request":{"path":"/a","headers":{"x":"a\\nb"}}}]}'],
  ['policy.tolerance', '{"policy":{"tolerance":1e308}}'],
  ['steps[0].expect.within', '{"steps":[{"request":"GET /a","expect":{"within":"25h"}}]}'],
])('a scenario is not taken when it would not be followed to the letter: %s', async (place, body) => {
  const answer = await (await openEmptySim()).call('PUT', '/__admin/scenario', { body });
  expect([answer.status, answer.body.validationErrors?.map(({ field }: { field: string }) => field)]).toEqual([
    400,
    [place],
  ]);
});

/** What a verdict tells a person: warnings, advice that fits the endpoint, faults, and how an operation came through. */
import { afterEach, describe, expect, it } from 'vitest';
import { tidy } from '../../support/command.ts';
import { execClient } from '../../support/exec.ts';
import { astrid } from '../../support/people.ts';
import { on, openStage, ways } from '../../support/programs.ts';
import { openWire, rawRequest, statusesIn } from './wire-statuses.ts';
import { addPoints, award, createContact, row } from './business.ts';
import { inTime } from '../../support/in-time.ts';

afterEach(tidy);

/** A client that adds points whose last day was before they came. */
const expired = `
await post('/api/v3/point-accounts/transactions', [${JSON.stringify({ ...row(astrid), validTo: '2020-01-01T00:00:00Z' })}]);`;

describe('the warnings of the service', inTime, () => {
  it('are counted by their code in the summary', async () => {
    const { stderr } = await execClient([], { client: `${expired}\n${expired}` });
    expect(stderr).toMatch(/2 warnings|warning.*\b2\b/i);
  });

  it('stand in the report', async () => {
    const { read } = await execClient(['--report', 'json=report.json'], { client: expired });
    expect(read('report.json')).toContain('warnings');
  });

  it.each([
    ['that are named', warningOf, 1],
    ['unless others are named', () => 'return-unmatched', 0],
  ])('fail the client with --fail-on-warnings %s', async (_, codes, code) => {
    const ended = await execClient(['--fail-on-warnings', await codes()], { client: expired });
    expect(ended.code).toBe(code);
  });
});

/** The code that the service gives with points that expire at once. */
async function warningOf(): Promise<string> {
  const { sim } = await openStage('in process');
  const response = await sim.fetch('/api/v3/point-accounts/transactions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'till' },
    body: JSON.stringify([{ ...row(astrid), validTo: '2020-01-01T00:00:00Z' }]),
  });
  const [code = ''] = /[a-z]+(?:-[a-z]+)+/.exec(response.headers.get('x-sim-warnings') ?? '') ?? [];
  expect(code).not.toBe('');
  return code;
}

describe.each(ways)('%s, the advice of R11', inTime, (way) => {
  it('names no Idempotency-Key for a checkpoint, which takes none', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('awardCheckpoints', 504)] });
    await award(send);
    await wait('2s');
    await award(send);
    const { findings, text } = await judge();
    expect(findings).toEqual(['R11 fail']);
    expect(text).not.toMatch(/idempotency-key/i);
  });

  it('names no Idempotency-Key for a new contact, which takes none', async () => {
    const { send, wait, judge } = await openStage(way, {
      rules: [on('createContact', 504)],
      fixtures: 'test/support/orders.json',
    });
    await createContact(send, {});
    await wait('2s');
    await createContact(send, {});
    const { findings, text } = await judge();
    expect(findings).toEqual(['R11 fail']);
    expect(text).not.toMatch(/idempotency-key/i);
  });

  it('names the Idempotency-Key for points in bulk', async () => {
    const { send, wait, judge } = await openStage(way, { rules: [on('addPointTransactions', 504)] });
    await addPoints(send);
    await wait('2s');
    await addPoints(send);
    expect((await judge()).text).toContain('Idempotency-Key');
  });
});

const files = { 'plan.json': { rules: [{ match: { path: '/api/v3/contact/{id}' }, fault: [504] }] } };

describe("a verdict's text", () => {
  it('says of a fault that it hit a path that is not served', inTime, async () => {
    const client = "await get('/api/v3/contact/1'); await sleep(100); await get('/api/v3/contact/1');";
    const { stderr } = await execClient(['--scenario', 'plan.json'], { client, files });
    expect(stderr).toMatch(/not served|no endpoint/i);
  });

  it('lists a passed operation that met a fault, with how it came through', inTime, async () => {
    const client = "await get('/api/v3/contacts/count'); await sleep(100); await get('/api/v3/contacts/count');";
    const { stderr, code } = await execClient(['--scenario', 'plan.json'], {
      client,
      files: { 'plan.json': { rules: [{ match: { endpoint: 'countContacts' }, fault: [504] }] } },
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/GET \/api\/v3\/contacts\/count.*504.*200/s);
  });

  it('judges each of 13 requests of which several are sent at once by one connection', inTime, async () => {
    const { sim, judge } = await openStage('over HTTP', { rules: [on('countContacts', 504)] });
    const wire = openWire(Number(new URL(sim.url ?? '').port));
    const count = rawRequest('GET', '/api/v3/contacts/count');
    wire.write(count);
    await wire.until((heard) => statusesIn(heard) === 1);
    const others = Array.from({ length: 11 }, (_, i) =>
      rawRequest('GET', `/api/v3/contacts/${astrid.slice(0, -1)}${i % 9}`),
    );
    wire.write([count, ...others].join(''));
    await wire.until((heard) => statusesIn(heard) === 13);
    wire.close();
    const { whole, text } = await judge();
    expect(whole.requests).toBe(13);
    expect(text).not.toContain('not judged');
  });
});

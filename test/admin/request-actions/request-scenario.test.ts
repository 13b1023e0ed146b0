import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { faultKinds } from '../../../src/faults/fault-kinds.ts';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import { openSim } from '../../support/open-sim.ts';
import { astrid, astridPath } from '../../support/people.ts';
import { receiptOf } from '../../support/receipt.ts';

afterAll(tidy);

const choices = faultKinds.flatMap((kind) => kind.choices.map(({ fault }) => fault));

describe('the scenario of a request', () => {
  it('writes scenarios that run plays: each fault of the form, with a request that met it', async () => {
    const client = await openSim();
    const { post } = client;
    const folder = folderWith();
    const files: string[] = [];
    for (const [n, fault] of choices.entries()) {
      const phase = n % 2 === 0 ? 'after' : 'before';
      await post('/__admin/faults', { match: { endpoint: 'createReceipt' }, fault: { ...fault, phase }, times: 1 });
      const sent = { method: 'POST', path: '/api/v3/receipts', body: receiptOf(astrid, `r-${n} \${x}`) };
      const gone = AbortSignal.timeout(300);
      const request = new Request(`http://x${sent.path}`, {
        method: sent.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent.body),
        signal: gone,
      });
      await client.sim
        .fetch(request)
        .then((response) => response.text())
        .catch(() => {});
      const { body } = await post(`/__admin/requests/default-${n + 1}/scenario`);
      expect(body.rule).toMatchObject({ match: { endpoint: 'createReceipt' }, times: 1, fault: { phase } });
      writeFileSync(join(folder, `${n}-${body.file}`), body.text);
      files.push(`${n}-${body.file}`);
    }
    const { code, stdout, stderr } = await runCommand(['run', ...files], { folder });
    expect(stderr).toBe('');
    expect(stdout).toContain(`${choices.length} scenarios: ${choices.length} PASS`);
    expect(code).toBe(0);
  });

  it('writes the request alone where nothing hit it, and another fault where one is given', async () => {
    const { get, patch, post } = await openSim();
    await patch(astridPath, { street: 'One' });
    await get('/api/v3/contacts/nobody');
    const plain = (await post('/__admin/requests/default-1/scenario')).body;
    expect([plain.file, plain.rule]).toEqual(['updateContact-default-1.yaml', null]);
    expect(plain.text).toContain('street: One');
    expect(plain.text).toContain('now: 2026-03-01T12:00:00.000Z');
    const lost = (await post('/__admin/requests/default-1/scenario', { fault: { phase: 'after', end: 'reset' } })).body;
    expect(lost.rule).toEqual({
      match: { endpoint: 'updateContact' },
      fault: { phase: 'after', end: 'reset' },
      times: 1,
    });
    const refused = (await post('/__admin/requests/default-2/scenario')).body;
    const folder = folderWith({ 'a.yaml': plain.text, 'b.yaml': lost.text, 'c.yaml': refused.text });
    const { code, stdout } = await runCommand(['run', 'a.yaml', 'b.yaml', 'c.yaml'], { folder });
    expect(stdout).toContain('3 scenarios: 3 PASS');
    expect(code).toBe(0);
  });

  it('writes what is long as JSON in one line, which run sends as it was', async () => {
    const { get, post } = await openSim();
    const texts = Array.from({ length: 2000 }, (_, n) => `"${n}": å \${x}\n\u007f\u2028`);
    const sent = receiptOf(astrid, 'r-long', { texts, other: { deep: [texts, { 'a: b': null }] } });
    await post('/api/v3/receipts', sent);
    const long = (await post('/__admin/requests/default-1/scenario')).body.text;
    expect(long.split('\n').length).toBeLessThan(30);
    const written = JSON.stringify(parse(long).steps[0].request.body);
    expect(JSON.parse(written.replaceAll('$${', () => '${'))).toEqual(sent);
    await post('/__admin/faults', { match: { body: { texts } }, fault: 503, times: 1 });
    await post('/api/v3/receipts', sent);
    const byRule = (await get('/__admin/faults/fault-1/scenario')).body.text;
    expect(parse(byRule).rules[0].match.body.texts).toEqual(texts);
    const folder = folderWith({ 'a.yaml': long, 'b.yaml': byRule });
    const { code, stdout } = await runCommand(['run', 'a.yaml', 'b.yaml'], { folder });
    expect(stdout).toContain('2 scenarios: 2 PASS');
    expect(code).toBe(0);
  });

  it('writes no file that is too large to be read', async () => {
    const { get, post } = await openSim();
    await post('/api/v3/contacts', { email: 'a@example.com', notes: ['å'.repeat(300_000), 'å'.repeat(300_000)] });
    await post('/__admin/faults', { match: { endpoint: 'createContact' }, fault: 503 });
    const message = /^The file would have more than 1000000 bytes, the most that are read: send a shorter request/;
    for (const written of [post('/__admin/requests/default-1/scenario'), get('/__admin/faults/fault-1/scenario')]) {
      const { status, body } = await written;
      expect([status, body.message]).toEqual([409, expect.stringMatching(message)]);
    }
  });

  it('keeps keys out of the file', async () => {
    const { call, post } = await openSim();
    await call('PATCH', astridPath, { body: { street: 'One' }, headers: { apikey: 'secret-key' } });
    const { body } = await post('/__admin/requests/default-1/scenario');
    expect(body.text).not.toMatch(/secret-key|apikey/);
  });

  it('refuses a fault that contradicts itself', async () => {
    const { get, post } = await openSim();
    await get('/api/v3/contacts/count');
    const { status, body } = await post('/__admin/requests/default-1/scenario', { fault: { respond: 'status' } });
    expect([status, body.validationErrors[0]]).toEqual([
      400,
      expect.objectContaining({ field: 'fault.status', errorDescription: expect.stringContaining('is required') }),
    ]);
  });
});

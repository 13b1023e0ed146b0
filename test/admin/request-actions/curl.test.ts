import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { hasCurl, tidy } from '../../support/command.ts';
import { openSim } from '../../support/open-sim.ts';
import { astridPath } from '../../support/people.ts';

afterAll(tidy);

describe('the curl line of a request', () => {
  it('writes no line that would end within the body, where the shell would carry out the rest', async () => {
    const { call, get } = await openSim();
    const send = (body: string) =>
      call('POST', '/api/v3/receipts', { body, headers: { 'content-type': 'text/plain' } });
    for (const body of ['no JSON\r\ncalc.exe\r\n', 'no JSON\nid\n', '{"a":\n1}', 'no \u001b[201~JSON'])
      await send(body);
    const lines = async (n: number) => Object.values((await get(`/__admin/requests/default-${n}/curl`)).body);
    expect([await lines(1), await lines(2), await lines(4)]).toEqual([
      [null, null, null],
      [expect.stringContaining("'no JSON\nid\n'"), null, null],
      [null, null, null],
    ]);
    expect(await lines(3)).toEqual([
      expect.stringContaining(`'{"a":1}'`),
      expect.stringContaining('"{""a"":1}"'),
      expect.stringContaining('"{""a"":1}"'),
    ]);
  });

  it('writes no line for Windows in which a variable would be sent in place of its name', async () => {
    const { call, get } = await openSim();
    const plain = { 'content-type': 'text/plain' };
    await call('POST', '/api/v3/receipts', { body: 'at 50 %, then %PATH%', headers: plain });
    await call('POST', '/api/v3/receipts', { body: '{"store":"%PATH% \\\\% å"}' });
    await call('GET', '/api/v3/contacts/id?email=%C3%A5rs%40example.com');
    const lines = async (n: number) => (await get(`/__admin/requests/default-${n}/curl`)).body;
    expect(await lines(1)).toEqual({ posix: expect.stringContaining('%PATH%'), powershell: null, cmd: null });
    expect((await lines(2)).posix).toContain(String.raw`'{"store":"%PATH% \\% å"}'`);
    const escaped = String.raw`"{""store"":""\u0025PATH\u0025 \\\u0025 \u00e5""}"`;
    expect([(await lines(2)).cmd, (await lines(2)).powershell]).toEqual([
      expect.stringContaining(escaped),
      expect.stringContaining(escaped),
    ]);
    expect((await lines(3)).cmd).toContain('?email=%C3%A5rs%40example.com');
  });

  it.skipIf(!hasCurl)('writes a line that a shell sends as the request was sent', async () => {
    const { call, get, sim } = await openSim();
    const { url } = await sim.listen();
    try {
      await call('PATCH', `/t/shop-2${astridPath}`, { body: { street }, headers: { apikey: 'secret-key' } });
      const line = (await get('/__admin/requests/shop-2-1/curl?tenant=shop-2')).body;
      expect(line.posix).toMatch(/^curl -X PATCH .*-H 'apikey: <key>'/);
      expect(JSON.stringify(line)).not.toContain('secret-key');
      expect(line.powershell).toMatch(/^curl\.exe --% /);
      await once(spawn('/bin/sh', ['-c', line.posix.replace('http://127.0.0.1', url)], { stdio: 'ignore' }), 'close');
      const { method, path, request } = (await get('/__admin/requests/shop-2-2?tenant=shop-2')).body;
      expect([method, path, request.json]).toEqual(['PATCH', astridPath, { street }]);
    } finally {
      await sim.close();
    }
  });
});

const street = `O'Hara "Row" $HOME %PATH% \`x\` \\ & | <b>`;

/** Requests whose body is compressed, as clients send them on request. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { receiptOf } from '../../support/receipt.ts';
import { astrid } from '../../support/people.ts';
import { on, openStage, ways } from '../../support/programs.ts';
import type { Stage, Way } from '../../support/programs.ts';
import { inTime } from '../../support/in-time.ts';

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const codings = {
  gzip: gzipSync,
  br: (body: Buffer) => brotliCompressSync(body, quick),
  deflate: deflateSync,
};
type Coding = keyof typeof codings;

const sendBytes = ({ sim }: Stage, way: Way, body: Uint8Array, coding: string): Promise<Response> => {
  const headers = {
    'user-agent': 'till/1.0',
    'content-type': 'application/json',
    ...(coding && { 'content-encoding': coding }),
  };
  const init = { method: 'POST', body: new Uint8Array(body), headers };
  return way === 'in process' ? sim.fetch('/api/v3/receipts', init) : fetch(`${sim.url}/api/v3/receipts`, init);
};

const receipt = (fields: object = {}): Buffer => Buffer.from(JSON.stringify(receiptOf(astrid, 'till-1', fields)));

describe.each(ways)('%s, the service', inTime, (way) => {
  describe.each(Object.keys(codings) as Coding[])('takes a body in %s', (coding) => {
    const compressed = (fields?: object): Buffer => codings[coding](receipt(fields));

    it('as it takes the plain one', async () => {
      const stage = await openStage(way);
      expect((await sendBytes(stage, way, compressed(), coding)).status).toBe(202);
      expect((await stage.sim.tenant('default').contact(astrid)).receipts.items[0]?.uniqueReceiptId).toBe('till-1');
    });

    it('and the verdict passes who repeats it after 504', async () => {
      const stage = await openStage(way, { rules: [on('createReceipt', 504)] });
      for (const pause of ['0s', '2s']) {
        await stage.wait(pause);
        await sendBytes(stage, way, compressed(), coding);
      }
      expect(await stage.judge()).toMatchObject({ findings: [], verdict: 'PASS' });
    });

    it('and the verdict passes who repeats it plain', async () => {
      const stage = await openStage(way, { rules: [on('createReceipt', 504)] });
      await sendBytes(stage, way, compressed(), coding);
      await stage.wait('2s');
      await sendBytes(stage, way, receipt(), '');
      expect(await stage.judge()).toMatchObject({ findings: [], verdict: 'PASS' });
    });

    it('and the verdict fails who repeats it with other content', async () => {
      const stage = await openStage(way, { rules: [on('createReceipt', 504)] });
      await sendBytes(stage, way, compressed(), coding);
      await stage.wait('2s');
      await sendBytes(stage, way, compressed({ totalGrossPrice: 250 }), coding);
      expect(await stage.judge()).toMatchObject({ failedBy: ['R4'], verdict: 'FAIL' });
    });

    it('unless it is too large when it is unpacked', async () => {
      const stage = await openStage(way);
      const bomb = codings[coding](Buffer.alloc(64 * 1024 * 1024));
      expect((await sendBytes(stage, way, bomb, coding)).status).toBe(413);
    });

    it('but refuses what is no such body', async () => {
      const stage = await openStage(way);
      expect((await sendBytes(stage, way, Buffer.from('no such thing'), coding)).status).toBe(400);
    });
  });

  it('refuses a coding that there is not', async () => {
    const stage = await openStage(way);
    const { status } = await sendBytes(stage, way, receipt(), 'lzma');
    expect([400, 415]).toContain(status);
  });
});

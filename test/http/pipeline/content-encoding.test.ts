import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';

const contact = JSON.stringify({ email: 'ada.ek@example.com' });
const path = '/api/v3/contacts';

type Bytes = Uint8Array<ArrayBuffer>;

interface SendOptions {
  readonly method?: 'POST' | 'PATCH';
  readonly body: Bytes | string;
  readonly encoding: string;
}

const requestOf = (origin: string, { method = 'POST', body, encoding }: SendOptions): Request =>
  new Request(`${origin}${path}${method === 'POST' ? '' : '/1'}`, {
    method,
    headers: { 'user-agent': 'test', 'content-type': 'application/json', 'content-encoding': encoding },
    body,
  });

interface SentBack {
  readonly errorCode?: string;
  readonly message?: string;
  readonly email?: string;
}

/** Sends the same in process and over HTTP, and expects that both respond alike. */
async function send(options: SendOptions): Promise<{ status: number; body: SentBack; headers: Headers }> {
  const { sim } = await openEmptySim();
  const { url } = await openSimOnPort({ fixtures: 'empty' });
  const inProcess = await sim.fetch(requestOf('http://127.0.0.1', options));
  const overHttp = await fetch(requestOf(url, options));
  const expected = JSON.parse(await inProcess.text()) as SentBack;
  const body = (await overHttp.json()) as SentBack;
  expect([overHttp.status, body.message]).toEqual([inProcess.status, expected.message]);
  return { status: overHttp.status, body, headers: overHttp.headers };
}

const megabytes = (count: number): Buffer<ArrayBuffer> => Buffer.alloc(count * 1024 * 1024, ' ');

const run = promisify(execFile);
const has = async (command: string, ...args: readonly string[]): Promise<boolean> =>
  run(command, [...args]).then(
    () => true,
    () => false,
  );

const script = `
import gzip, requests, sys
headers = {'content-type': 'application/json', 'content-encoding': 'gzip'}
response = requests.post(sys.argv[1], data=gzip.compress(sys.argv[2].encode()), headers=headers)
print(response.status_code)
`;

const hasCurl = await has('curl', '--version');
const hasRequests = await has('python3', '-c', 'import requests');

describe('the pipeline', () => {
  it.each([
    ['gzip', gzipSync(contact)],
    ['x-gzip', gzipSync(contact)],
    ['GZIP', gzipSync(contact)],
    ['br', brotliCompressSync(contact)],
    ['deflate', deflateSync(contact)],
    ['deflate', deflateRawSync(contact)],
    ['deflate, gzip', gzipSync(deflateSync(contact))],
    ['identity', contact],
  ])('serves a body with Content-Encoding: %s', async (encoding, body) => {
    expect(await send({ body, encoding })).toMatchObject({ status: 201, body: { email: 'ada.ek@example.com' } });
  });

  it('shows the decompressed body in the journal, and says how it was compressed', async () => {
    const { sim, get } = await openEmptySim();
    await sim.fetch(requestOf('http://127.0.0.1', { body: gzipSync(contact), encoding: 'gzip' }));
    const { body } = await get('/__admin/requests/default-1');
    expect(body.request).toMatchObject({ body: contact, json: JSON.parse(contact), contentEncoding: 'gzip' });
    await sim.fetch(requestOf('http://127.0.0.1', { body: contact, encoding: 'identity' }));
    expect((await get('/__admin/requests/default-2')).body.request).toMatchObject({ contentEncoding: null });
  });

  it('lets a fault rule match fields of a compressed body', async () => {
    const rule = { match: { body: { email: 'ada.ek@example.com' } }, fault: 504 };
    const { sim } = await openEmptySim({ scenario: { rules: [rule] } });
    const sent = requestOf('http://127.0.0.1', { body: gzipSync(contact), encoding: 'gzip' });
    expect((await sim.fetch(sent)).status).toBe(504);
  });

  it.each([
    ['zstd', 'zstd'],
    ['an encoding among several', 'gzip, compress'],
    ['more encodings than anybody needs', 'gzip, gzip, gzip, gzip'],
  ])('refuses %s with the supported ones', async (_, encoding) => {
    const { status, body, headers } = await send({ body: gzipSync(contact), encoding });
    expect([status, body.errorCode]).toEqual([415, 'UnsupportedContentEncoding']);
    expect(body.message).toBe(
      `The body comes with Content-Encoding: ${encoding}; supported are gzip, deflate, br and identity.`,
    );
    expect(headers.get('accept-encoding')).toBe('gzip, deflate, br');
  });

  it.each([
    ['plain text', 'gzip', contact],
    ['a body that breaks off', 'gzip', gzipSync(contact).subarray(0, 20)],
    ['a body that breaks off', 'br', brotliCompressSync(contact).subarray(0, 10)],
    ['noise', 'deflate', Uint8Array.of(7, 7, 7, 7)],
  ])('refuses %s as %s with the reason', async (_, encoding, body) => {
    const answer = await send({ body, encoding });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'InvalidJson']);
    expect(answer.body.message).toMatch(
      new RegExp(
        `^The body can't be decompressed: it comes with Content-Encoding: ${encoding}, but is corrupt \\(.+\\)\\.$`,
      ),
    );
  });

  it('refuses a corrupt body of a PATCH as one without data (A-17)', async () => {
    expect(await send({ method: 'PATCH', body: contact, encoding: 'gzip' })).toMatchObject({
      status: 400,
      body: { errorCode: 'NoData' },
    });
  });

  it.each([
    ['gzip', gzipSync(megabytes(200))],
    ['br', brotliCompressSync(megabytes(200))],
    ['gzip, gzip', gzipSync(gzipSync(megabytes(200)))],
  ])('refuses a body that is small as %s and large when decompressed', async (encoding, body) => {
    expect(body.length).toBeLessThan(1024 * 1024);
    expect(await send({ body, encoding })).toMatchObject({ status: 413, body: { errorCode: 'PayloadTooLarge' } });
  });

  it('takes an empty body as an empty one', async () => {
    const [compressed, plain] = [await send({ body: '', encoding: 'gzip' }), await send({ body: '', encoding: '' })];
    expect([compressed.status, compressed.body.message]).toEqual([plain.status, plain.body.message]);
  });

  it.runIf(hasCurl)('serves what gzip and curl send', async () => {
    const { url } = await openSimOnPort({ fixtures: 'empty' });
    const command = `printf '%s' '${contact}' | gzip | curl -s --data-binary @- -H 'content-type: application/json' -H 'content-encoding: gzip' ${url}${path}`;
    const { stdout } = await run('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'ada.ek@example.com' });
  });

  it.runIf(hasRequests)('serves what Python requests sends', async () => {
    const { url } = await openSimOnPort({ fixtures: 'empty' });
    const { stdout } = await run('python3', ['-c', script, `${url}${path}`, contact]);
    expect(stdout.trim()).toBe('201');
  });
});

import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../support/folders.ts';
import { key, manual, seal, secret } from '../support/master.ts';
import type { Letter } from '../support/master.ts';

afterEach(tidyFolders);

const page = readFileSync('docs/point-master.md', 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);

interface Sample {
  readonly isSigned: (headers: Headers, body: string, secret: string) => boolean;
  readonly decrypt: (payload: string, key: string) => unknown;
}

/** The TypeScript of the page, as a reader would have it. */
async function sample(): Promise<Sample> {
  const { code } = await transform(blocks('ts').join('\n'), { loader: 'ts' });
  const path = join(folderWith({ 'sample.mjs': code }), 'sample.mjs');
  return import(path);
}

const payloadOf = ({ body }: Letter): string => JSON.parse(body).payload;

describe('the TypeScript of docs/point-master.md', () => {
  it('reads what the page shows', async () => {
    const { decrypt } = await sample();
    const payloads = blocks('json')
      .map((text) => JSON.parse(text))
      .filter(({ source }) => source !== undefined);
    expect(payloads.map(({ source }) => source)).toEqual(['Automation', 'Manual']);
    expect(payloads.map((payload) => decrypt(payloadOf(seal({ payload })), key))).toEqual(payloads);
  });

  it('knows a signature of the service from others', async () => {
    const { isSigned } = await sample();
    const { body, headers } = seal();
    const { body: old, headers: oldHeaders } = seal({ signedAt: new Date(Date.now() - 400_000) });
    expect(isSigned(new Headers(headers), body, secret)).toBe(true);
    expect(isSigned(new Headers(headers), `${body} `, secret)).toBe(false);
    expect(isSigned(new Headers(headers), body, 'whsec_YW5vdGhlci1zZWNyZXQtYW5vdGhlcg==')).toBe(false);
    expect(isSigned(new Headers(oldHeaders), old, secret)).toBe(false);
    expect(isSigned(new Headers(), body, secret)).toBe(false);
  });

  it('throws for another key and for half a payload', async () => {
    const { decrypt } = await sample();
    const payload = payloadOf(seal());
    expect(() => decrypt(payload, 'x'.repeat(32))).toThrow(Error);
    expect(() => decrypt(payload.slice(0, 60), key)).toThrow(Error);
  });
});

const java = 'java';
const hasJava = spawnSync(java, ['--version']).status === 0;

const main = `
final class Main {
    public static void main(String[] given) throws Exception {
        byte[] body = given[3].getBytes(StandardCharsets.UTF_8);
        System.out.println(Webhooks.isSigned(given[0], given[1], given[2], body, given[5]));
        System.out.println(Webhooks.isSigned(given[0], given[1], given[2], new byte[0], given[5]));
        System.out.println(Webhooks.decrypt(given[4], given[6]));
    }
}

final class Webhooks`;

describe.skipIf(!hasJava)('the Java of docs/point-master.md (needs a JDK)', () => {
  it('checks and reads a webhook', async () => {
    const [code = ''] = blocks('java');
    const path = join(folderWith(), 'Main.java');
    writeFileSync(path, code.replace('\nfinal class Webhooks', main));
    const letter = seal({ payload: manual({ description: 'För väntan' }) });
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const given = [...names.map((name) => letter.headers[name] ?? ''), letter.body, payloadOf(letter), secret, key];
    const { stdout } = await promisify(execFile)(java, [
      '-Dfile.encoding=UTF-8',
      '-Dstdout.encoding=UTF-8',
      path,
      ...given,
    ]);
    const [signed, other, ...text] = stdout.split('\n');
    expect([signed, other]).toEqual(['true', 'false']);
    expect(JSON.parse(text.join('\n'))).toEqual(manual({ description: 'För väntan' }));
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { closeServed, openSimWithFault } from '../../support/served.ts';
import { isComplete, parseAnswer, rawRequest } from '../../support/wire.ts';

afterEach(closeServed);

const texts = ['Storgatan 2', 'Götgatan 42', 'Jęczmień', '東京都', 'Ågatan 🎁', 'é'.normalize('NFD')];

describe('a response over a socket', () => {
  it.each(texts)('has the bytes of %j in UTF-8, and their number, however often it is asked for', async (street) => {
    const { wire } = await openSimWithFault();
    const client = async (method: string, path: string, body?: unknown): Promise<Buffer> => {
      const one = wire();
      one.write(rawRequest(method, path, body));
      await one.until(isComplete);
      return one.heard();
    };
    const created = parseAnswer(await client('POST', '/api/v3/contacts', { email: 'ella@example.com', street }));
    const { id } = JSON.parse(created.body.toString());
    const bodies: Buffer[] = [];
    for (let i = 0; i < 3; i++) {
      const { headers, body } = parseAnswer(await client('GET', `/api/v3/contacts/${id}`));
      expect(Number(headers['content-length'])).toBe(body.length);
      bodies.push(body);
    }
    expect(JSON.parse(bodies[0]?.toString('utf8') ?? '').street).toBe(street);
    expect(bodies).toEqual([created.body, created.body, created.body]);
  });
});

import { expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

const contact = JSON.stringify({ email: 'ada.ek@example.com' });

/** Sends bytes as they are, to the path of a new contact unless another is named. */
async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, path = '') {
  const { sim } = await openEmptySim();
  const request = new Request(`http://127.0.0.1/api/v3/contacts${path}`, {
    method: path === '' ? 'POST' : 'PATCH',
    headers: { 'user-agent': 'test', apikey: 'test', 'content-type': 'application/json', ...headers },
    body,
  });
  const response = await sim.fetch(request);
  const answered = JSON.parse(await response.text());
  return { status: response.status, body: answered, warnings: response.headers.get('x-sim-warnings') };
}

it('a body may begin with a byte order mark', async () => {
  expect(await send(`\uFEFF${contact}`)).toMatchObject({ status: 201, body: { email: 'ada.ek@example.com' } });
});

it.each([
  ['text that is not UTF-8', Uint8Array.of(0x7b, 0xc5, 0x7d), 'The body is not UTF-8; send JSON in UTF-8.'],
  [
    'broken JSON',
    '{"street": "A",}',
    'The body is not valid JSON: Expected double-quoted property name, line 1 column 16.',
  ],
  ['cut off', '{"street":', 'The body is not valid JSON: Unexpected end of JSON input, line 1 column 11.'],
  // Where in so short a text is not known.
  ['no JSON', 'street=A', `The body is not valid JSON: Unexpected token 's', "street=A".`],
])('the body of a PATCH holds no data when it is %s, which is said (A-17)', async (_, sent, message) => {
  expect((await send(sent, {}, '/1')).body).toMatchObject({ errorCode: 'NoData', message });
});

it('a body with a field twice gets a warning that says which, and that the last one counts', async () => {
  const sent = `{"email": "a@example.com", "email" : "b@example.com", "preferences": {"acceptsSms": true, "acceptsSms": true}}`;
  const { body, warnings } = await send(sent);
  expect(body).toMatchObject({ email: 'b@example.com', preferences: { acceptsSms: true } });
  expect(warnings).toBe(
    'repeated-field: "email" is given more than once; the last one counts | ' +
      'repeated-field: "preferences.acceptsSms" is given more than once; the last one counts',
  );
});

it('a body with a field twice is refused where fields are checked strictly', async () => {
  const { post } = await openEmptySim({ fieldValidation: 'strict' });
  const { status, body } = await post('/api/v3/contacts', '{"email":"a@example.com","email":"a@example.com"}');
  expect([status, body.validationErrors]).toEqual([
    400,
    [{ field: 'email', errorDescription: 'is given more than once' }],
  ]);
});

it('a body with long and foreign names gets a warning that fits into a header', async () => {
  const names = Array.from({ length: 200 }, (_, i) => `smörgås${i}😀`);
  const unknown = Object.fromEntries([['å'.repeat(1000), 1], ...names.map((name) => [name, 1])]);
  const { status, warnings } = await send(JSON.stringify({ ...unknown, email: 'ada.ek@example.com' }));
  expect(status).toBe(201);
  expect(warnings).toMatch(/^unknown-field: "%C3%A5.*\.\.\. \| unknown-field: "sm%C3%B6rg.*%F0%9F.* \| and \d+ more$/);
  expect(warnings?.length).toBeLessThan(4100);
});

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { withFetch } from '../../support/clients.ts';
import { runCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';

afterEach(tidy);

/** Stand for what nobody may find in a file. */
const secrets = {
  apiKey: 'planted-api-key-4711',
  adminKey: 'planted-admin-key-4712',
  otherKey: 'planted-other-key-4713',
  webhookKey: 'planted-webhook-key-471400000000',
  webhookSecret: 'whsec_cGxhbnRlZC13ZWJob29rLXNlY3JldC00NzE1',
  password: 'planted-password-4716',
  personal: '198507099805',
};

const client = `${withFetch}
  const base = process.env.LOYALTY_SIM_URL;
  const headers = { apikey: '${secrets.apiKey}', authorization: 'Bearer ${secrets.otherKey}', cookie: 'a=${secrets.otherKey}', 'content-type': 'application/json' };
  const send = (path, body) => fetch(base + path, { headers, signal: AbortSignal.timeout(500), ...(body && { method: 'POST', body: JSON.stringify(body) }) }).then((answer) => answer.text(), () => {});
  await send('/api/v3/contacts/id?socialSecurityNumber=${secrets.personal}&apikey=${secrets.otherKey}&token=${secrets.otherKey}');
  const contact = { email: 'a@example.com', socialSecurityNumber: '${secrets.personal}', contactType: 'Member' };
  await send('/api/v3/contacts', contact);
  await send('/api/v3/contacts', { ...contact, firstName: 'B' });
  await send('/api/v3/receipts', { contact: { matchKey: '${secrets.personal}', matchKeyType: 'socialSecurityNumber' } });`;

const options = [
  '--api-key',
  secrets.apiKey,
  '--admin-key',
  secrets.adminKey,
  '--webhook-url',
  'http://user:PASSWORD@127.0.0.1:9/?key=KEY',
  '--webhook-key',
  secrets.webhookKey,
  '--webhook-secret',
  secrets.webhookSecret,
  '--webhook-events',
  'contact.created',
  '--webhook-events',
  'contact.updated',
].map((option) => option.replace('PASSWORD', secrets.password).replace('KEY', secrets.otherKey));

const keys = ['--api-key', secrets.apiKey, '--admin-key', secrets.adminKey];

const scenario = {
  rules: [{ match: { endpoint: 'createContact' }, fault: [{ phase: 'after', respond: 'none', end: 'close' }] }],
};
const steps = [
  {
    request: {
      method: 'POST',
      path: '/api/v3/contacts',
      headers: { apikey: secrets.apiKey, authorization: secrets.otherKey },
      body: { email: 'c@example.com', socialSecurityNumber: secrets.personal },
    },
  },
  {
    request: `GET /api/v3/contacts/id?socialSecurityNumber=${secrets.personal}&token=${secrets.otherKey}`,
    expect: { status: 499 },
  },
];

const own = ['client.mjs', 'scenario.json', 'script.json'];

/** Returns the names of the secrets in each file that was written, and in what was printed. */
function found(folder: string, printed: string, allowed: (file: string) => readonly string[] = () => []): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile() && !own.includes(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
  expect(files).not.toEqual([]);
  return [...files, ['what was printed', printed] as const].flatMap(([file, text]) =>
    Object.entries(secrets)
      .filter(([name, value]) => text.includes(value) && !allowed(file).includes(name))
      .map(([name]) => `${name} in ${file}`),
  );
}

const written = () =>
  folderWith({
    'client.mjs': client,
    'scenario.json': JSON.stringify(scenario),
    'script.json': JSON.stringify({ steps }),
  });
const reports = 'junit=a.xml,json=a.json,md=a.md,html=a.html';

/** The saved state holds contacts as they are. */
const allowedInState = (file: string) => (file.startsWith('state.json') ? ['personal'] : []);

it('exec writes no key, no secret and no personal number into reports and log; the saved state is its owner’s alone', async () => {
  const folder = written();
  const args = ['--scenario', 'scenario.json', '--data', 'state.json', '--report', reports, ...options];
  const { stdout, stderr } = await runCommand(['exec', ...args, '--', process.execPath, 'client.mjs'], { folder });
  expect(found(folder, stdout + stderr, allowedInState)).toEqual([]);
  for (const file of readdirSync(folder).filter((name) => name.startsWith('state.json')))
    expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
});

it('run writes no key, no secret and no personal number into reports and log', async () => {
  const folder = written();
  const { stdout, stderr } = await runCommand(['run', 'script.json', '--report', 'junit=run.xml', ...keys], {
    folder,
  });
  expect(found(folder, stdout + stderr)).toEqual([]);
});

it('explore writes no key, no secret and no personal number', async () => {
  const folder = written();
  const args = ['--budget', '6s', '--json', ...keys];
  const { stdout, stderr } = await runCommand(['explore', ...args, '--', process.execPath, 'client.mjs'], { folder });
  expect(found(folder, stdout + stderr)).toEqual([]);
});

import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { browserPath } from '../test/support/browser.ts';
import { startCommand, tidy } from '../test/support/command.ts';
import { folderWith } from '../test/support/folders.ts';
import { astrid, astridPath } from '../test/support/people.ts';
import { receiptOf } from '../test/support/receipt.ts';
import type { ProofRow, ProofSettings } from './row.ts';
import { sender } from './traffic.ts';
import type { Call } from './traffic.ts';

/** Runs in a page that takes it for more than text. */
const script = 'window.ran=1';

const hostileValues: readonly string[] = [
  `<script>${script}</script>`,
  `"><script>${script}</script>`,
  `</script><script>${script}</script>`,
  `</title></textarea></style><img src=x onerror=${script}>`,
  `'"><img src=x onerror="${script}">`,
  `<svg onload=${script}>`,
  `<svg><animate onbegin=${script} attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>parent.${script}</script>">`,
  `<details open ontoggle=${script}>`,
  `<a href="javascript:${script}" id=x>x</a>`,
  `javascript:${script}`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${script}&gt;">`,
  `<link rel=stylesheet href=//outside.test/x.css>`,
  `<img src=//outside.test/x.png>`,
  `<meta http-equiv=refresh content="0;url=//outside.test/">`,
  `<base href=//outside.test/>`,
  `<form action=//outside.test/><input name=a autofocus onfocus=${script}>`,
  `\${${script}}`,
  `{{constructor.constructor('${script}')()}}`,
  `');${script}//`,
  `--><script>${script}</script>`,
  `\u202e<script>${script}</script>`,
  `%3Cscript%3E${script}%3C/script%3E`,
  `&lt;script&gt;${script}&lt;/script&gt;`,
  `__proto__"><img src=x onerror=${script}>`,
];

/** Puts a value into every field that is shown somewhere. Some are refused, which is as good. */
const fieldsWith = (value: string, tenant: string): readonly Call[] => {
  const path = encodeURIComponent(value);
  const service = (method: string, to: string, body?: unknown): Call => ({ method, path: `/t/${tenant}${to}`, body });
  const control = (method: string, to: string, body: unknown): Call => ({
    method,
    path: `/__admin${to}?tenant=${tenant}`,
    body,
  });
  const item = { type: 'PURCHASE', quantity: 1, grossPaidPrice: 1, taxAmount: 0.2, taxPercent: 25 };
  const names = { sku: value, articleNumber: value, articleName: value, articleGroup: value };
  const receipt = receiptOf(astrid, value, {
    receiptNumber: value,
    storeExternalId: value,
    items: [{ ...item, ...names }],
  });
  return [
    service('PATCH', astridPath, { firstName: value, lastName: value, street: value, city: value, [value]: value }),
    service('POST', '/api/v3/contacts', { email: `${value}@example.com`, firstName: value }),
    service('POST', '/api/v3/contacts/bulk', [{ email: value }, { firstName: value, email: 'x@example.com' }]),
    service('POST', '/api/v3/receipts', receipt),
    service('POST', '/api/v3/point-transactions', {
      accountId: '1',
      amount: 5,
      type: 'Addition',
      transactionId: value,
      description: value,
      source: value,
    }),
    service('GET', `/api/v3/contacts/${path}?${path}=${path}`),
    service('GET', `/${path}`),
    control('POST', '/tenants', { name: value }),
    control('POST', `/snapshots/${path}`, undefined),
    control('POST', '/imports', { name: value, content: value }),
    control('POST', '/trigger', {
      event: 'adjustPoints',
      contactId: astrid,
      definitionId: 1,
      amount: 5,
      description: value,
    }),
    control('PUT', '/scenario', {
      name: value,
      description: value,
      rules: [
        { id: value, description: value, match: { path: '/api/v3/stores', headers: { 'x-test': value } }, fault: 500 },
        { match: { endpoint: 'countContacts' }, fault: { status: 500, body: value, headers: { 'x-test': 'a' } } },
      ],
      expectations: [
        { description: value, request: { endpoint: 'createReceipt', body: { uniqueReceiptId: value } }, exactly: 7 },
      ],
    }),
    service('GET', '/api/v3/contacts/count'),
    control('POST', '/faults', {
      description: value,
      match: { body: { a: value } },
      fault: { status: 418, body: value },
    }),
  ];
};

/** Sends a request whose headers hold the value. */
const sendHeaders = (url: string, tenant: string, value: string): Promise<void> =>
  new Promise((resolve) => {
    const text = value.replaceAll(/[^\x20-\x7e]/g, '');
    const headers = {
      'user-agent': text,
      'x-sim-client': text,
      'idempotency-key': text,
      'x-sim-test-id': text,
      referer: text,
    };
    const sent = request(`${url}/t/${tenant}/api/v3/stores`, { headers }, (response) =>
      response.resume().on('end', resolve),
    );
    sent.on('error', () => resolve()).end();
  });

const views = [
  'timeline',
  `requests/TENANT-1`,
  'requests',
  'verdict',
  'faults',
  'time',
  'webhooks',
  'imports',
  'contact',
  `contact/${astrid}`,
  'state',
  'tenants',
  'explore',
];

interface Finding {
  readonly note: (what: string) => void;
}

/** Looks at all views of a tenant that is full of a value. */
async function lookAt(page: Page, url: string, tenant: string, { note }: Finding): Promise<void> {
  const heard: string[] = [];
  const outside = (sent: { url: () => string }): void => {
    if (!sent.url().startsWith(url) && !/^(?:data|blob|about):/.test(sent.url())) heard.push(`asks for ${sent.url()}`);
  };
  page.on('request', outside);
  page.on('dialog', (dialog) => void dialog.dismiss());
  page.on('console', (message) => {
    // The policy forbids what a page was not meant to hold: then it did hold it.
    if (/Content Security Policy|Refused to/.test(message.text())) heard.push(message.text());
  });
  for (const view of views) {
    await page.goto(`${url}/__admin/ui#${tenant}/${view.replace('TENANT', tenant)}`);
    await page.locator('main').first().waitFor();
    await page.waitForLoadState('networkidle', { timeout: 1000 }).catch(() => {});
    if ((await page.evaluate('window.ran')) !== undefined) heard.push('ran');
    for (const what of heard.splice(0)) note(`${view}: ${what}`);
  }
  page.off('request', outside);
}

/** Tries from a page whatever a page can to drive the service or to read from it. */
function attack(url: string): string {
  const calls = JSON.stringify(
    [
      ['POST', '/__admin/reset', '{}'],
      ['POST', '/__admin/faults', '{"fault":500}'],
      ['PUT', '/__admin/scenario', '{"rules":[{"fault":500}]}'],
      ['POST', '/__admin/tenants', '{"name":"attacked"}'],
      ['POST', '/__admin/clock', '{"advance":"30d"}'],
      ['POST', '/__admin/queue', '{"drain":true}'],
      ['POST', '/__admin/snapshots/attacked', ''],
      ['POST', '/__admin/trigger', '{"event":"adjustPoints","contactId":"${astrid}","definitionId":1,"amount":999}'],
      ['DELETE', '/__admin/requests', ''],
      ['GET', '/__admin/requests', ''],
      ['GET', '/__admin/health', ''],
      ['GET', '/__admin/contacts/${astrid}/card', ''],
    ].map(([method, path = '', body]) => [
      method,
      path.replace('${astrid}', astrid),
      (body ?? '').replace('${astrid}', astrid),
    ]),
  );
  return `<!doctype html><body><script>
    window.read = [];
    const target = ${JSON.stringify(url)};
    const work = [];
    for (const [method, path, body] of ${calls}) {
      const rest = method === 'GET' ? {} : { body };
      for (const type of ['application/json', 'text/plain'])
        work.push(fetch(target + path, { method, ...rest, headers: { 'content-type': type } })
          .then(async (got) => window.read.push(method + ' ' + path + ' ' + got.status + ' ' + (await got.text()).slice(0, 80))).catch(() => {}));
      work.push(fetch(target + path, { method: method === 'GET' ? 'GET' : 'POST', ...rest, mode: 'no-cors' }).catch(() => {}));
      if (method === 'POST') {
        navigator.sendBeacon(target + path, body);
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.name = 'f' + Math.random();
        const form = document.body.appendChild(document.createElement('form'));
        Object.assign(form, { method: 'POST', action: target + path, target: frame.name, enctype: 'text/plain' });
        const input = form.appendChild(document.createElement('input'));
        input.name = body.slice(0, -1) + ',"x":"'; input.value = '"}';
        try { form.submit(); } catch {}
      } else {
        new Image().src = target + path;
        document.body.appendChild(document.createElement('script')).src = target + path;
      }
    }
    const events = new EventSource(target + '/__admin/events');
    events.onmessage = (event) => window.read.push('event ' + event.data.slice(0, 80));
    events.onopen = () => window.read.push('events are open');
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.src = target + '/__admin/ui';
    frame.onload = () => { try { if (frame.contentDocument?.body?.innerHTML) window.read.push('the dashboard in a frame'); } catch {} };
    Promise.all(work).then(() => setTimeout(() => {
      window.isDone = true;
      parent.postMessage({ read: window.read }, '*');
    }, 300));
  </script>`;
}

/** Opens a page that tries to drive the simulator, and returns what it could read. */
async function attackFrom(browser: Browser, address: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(address);
  await page.waitForFunction('window.isDone', undefined, { timeout: 60_000 });
  await sleep(200);
  const read = await page.evaluate('window.read');
  await page.close();
  return read as string[];
}

const forgedOrigins = [
  'null',
  'file://',
  'http://evil.test',
  'https://127.0.0.1',
  'http://127.0.0.1:1',
  'http://localhost.evil.test',
  'http://127.0.0.1.evil.test',
  'http://evil.test#127.0.0.1',
  'chrome-extension://abc',
  '',
];

/** Sends a call with headers that no browser lets a page set; returns the status. */
const forged = (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const sent = request(`${url}/__admin/faults`, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end('{"fault":500}');
  });

async function tryForeignPages(browser: Browser, url: string, { note }: Finding): Promise<number> {
  const { send, close } = sender(url);
  const server = createServer((asked, response) => {
    response.setHeader('content-type', 'text/html');
    const isSandbox = asked.url === '/sandbox';
    const inner = attack(url).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    response.end(
      isSandbox
        ? `<!doctype html><script>addEventListener('message', ({ data }) => { window.read = data.read; window.isDone = true; })</script><iframe sandbox="allow-scripts allow-forms" srcdoc="${inner}"></iframe>`
        : attack(url),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const file = join(folderWith(), 'page.html');
  writeFileSync(file, attack(url));
  const watched = ['/faults', '/scenario', '/tenants', '/snapshots', '/clock', '/snapshots/diff'];
  const look = async (): Promise<string> => {
    const texts: string[] = [];
    for (const path of watched) texts.push((await send({ method: 'GET', path: `/__admin${path}` })).text);
    // What is refused is in the journal all the same.
    return texts.join('\n').replaceAll(/"exchanges":\d+/g, '');
  };
  const before = await look();
  const simPort = new URL(url).port;
  const addresses = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://evil.test:${port}/`,
    `http://127.0.0.1:${port}/sandbox`,
    pathToFileURL(file).href,
  ];
  for (const address of addresses) {
    for (const what of await attackFrom(browser, address)) note(`${address} reads ${what}`);
    if ((await look()) !== before) note(`${address} has changed something`);
  }
  // A name of an attacker that suddenly leads to this machine.
  const page = await browser.newPage();
  const answer = await page.goto(`http://rebound.test:${simPort}/__admin/requests`);
  if (answer?.status() !== 403) note(`a rebound name gets ${answer?.status()}`);
  const service = await page.goto(`http://rebound.test:${simPort}/api/v3/stores`);
  if (service?.status() !== 403) note(`a rebound name gets ${service?.status()} of the service`);
  await page.close();
  for (const origin of forgedOrigins) {
    const status = await forged(url, { origin });
    if (status !== 403) note(`Origin "${origin}" gets ${status}`);
  }
  for (const host of [
    'evil.test',
    `rebound.test:${simPort}`,
    '127.0.0.1.evil.test',
    'localhost.evil.test',
    '0.0.0.0.evil.test',
  ]) {
    const status = await forged(url, { host });
    if (status !== 403) note(`Host "${host}" gets ${status}`);
  }
  if ((await look()) !== before) note('a forged request has changed something');
  const { text } = await send({ method: 'GET', path: '/__admin/requests' });
  for (const { method, path, status } of JSON.parse(text).items)
    if (status < 400) note(`${method} ${path} of a foreign page gets ${status}`);
  close();
  server.close();
  server.closeAllConnections();
  return addresses.length + 2 + forgedOrigins.length + 5;
}

async function tryValues(browser: Browser, url: string, settings: ProofSettings, { note }: Finding): Promise<number> {
  const { send, close } = sender(url);
  let looks = 0;
  for (const [n, value] of hostileValues.slice(0, settings.share(hostileValues.length)).entries()) {
    if (!settings.isWanted(value)) continue;
    const tenant = `hostile-${n}`;
    for (const call of fieldsWith(value, tenant)) {
      const { status, text } = await send(call);
      if (status >= 500 && !call.path.endsWith('/count'))
        note(`${call.method} ${call.path}: ${status} ${text.slice(0, 200)}`);
    }
    await sendHeaders(url, tenant, value);
    const page = await browser.newPage();
    await lookAt(page, url, tenant, { note: (what) => note(`${JSON.stringify(value)}: ${what} (--only '${value}')`) });
    await page.close();
    looks += views.length;
  }
  close();
  return looks;
}

/** Shows that no page but our own drives the simulator, and that nothing that comes in runs in our own. */
export const browserRow: ProofRow = {
  name: 'browser',
  what: `${hostileValues.length} hostile values in every field, looked at in ${views.length} views of the dashboard; pages of other ports, other names, files and sandboxes, rebound names and forged headers`,
  asked: 'nothing runs, is loaded from outside, is read by another page, or is changed by it',
  page: 'docs/proof.md',
  run: async (settings) => {
    if (browserPath === undefined) return { figure: 'skipped: there is no Chromium', isReached: true };
    const browser = await chromium.launch({
      executablePath: browserPath,
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--host-resolver-rules=MAP evil.test 127.0.0.1,MAP rebound.test 127.0.0.1,MAP outside.test 127.0.0.1',
      ],
    });
    const { url, signal } = await startCommand([
      '--fixtures',
      'default',
      '--now',
      '2026-03-01T12:00:00Z',
      '--log',
      'silent',
    ]);
    let found = 0;
    const note = (what: string): void => {
      if (found++ < 20) settings.print(`  ${what}`);
    };
    const tried = await tryForeignPages(browser, url, { note });
    const looks = await tryValues(browser, url, settings, { note });
    await browser.close();
    await signal('SIGTERM');
    tidy();
    return {
      figure: `${found} findings in ${looks} views and ${tried} pages and forged requests`,
      isReached: found === 0,
    };
  },
};

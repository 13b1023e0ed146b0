import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openFollowerSim, tidyFollowers } from '../support/follower.ts';
import { astrid } from '../support/people.ts';

const masters = new Set<Server>();

afterEach(async () => {
  for (const master of masters) master.closeAllConnections();
  for (const master of masters) master.close();
  masters.clear();
  await tidyFollowers();
});

interface Asked {
  url: string | undefined;
  authorization?: string | undefined;
}

/** A master that answers so to whatever it is asked. */
async function openMaster(answer: (response: ServerResponse) => void) {
  const asked: Asked = { url: undefined };
  const master = createServer((request, response) => {
    asked.url = request.url;
    asked.authorization = request.headers.authorization;
    answer(response);
  });
  masters.add(master);
  await new Promise<void>((resolve) => master.listen(0, '127.0.0.1', resolve));
  return { asked, url: `http://127.0.0.1:${(master.address() as AddressInfo).port}` };
}

const historyAt = async (pointMasterUrl: string | undefined) => {
  const { get } = await openFollowerSim(undefined, { pointMasterUrl });
  return (await get(`/__admin/contacts/${astrid}/card`)).body.pointHistory;
};

const moves = [
  { transactionDate: '2026-02-01T10:00:00+01:00', amount: 50, description: 'Purchase' },
  { transactionDate: '2026-02-03T10:00:00Z', amount: -20.5, description: 'Return' },
];

it.each([[moves], [[]]])('the history of a contact is the one that the point master has: %j', async (items) => {
  const { url, asked } = await openMaster((response) => response.end(JSON.stringify(items)));
  expect(await historyAt(`${url}/api/`)).toEqual({ items, note: null });
  expect(asked.url).toBe(`/api/fetchPointHistory?id=${astrid}`);
});

it.each<[string, (response: ServerResponse) => void]>([
  ['responded with 500', (response) => response.writeHead(500).end('[]')],
  ['the body must be a list', (response) => response.end('<html>')],
  [
    '[1].amount must be a finite number',
    (response) => response.end(JSON.stringify([moves[0], { ...moves[1], amount: '5' }])),
  ],
  ['gave no response', (response) => response.socket?.resetAndDestroy()],
])('a history that the point master does not send leaves a note: %s', async (note, answer) => {
  const { url } = await openMaster(answer);
  expect(await historyAt(url)).toEqual({ items: [], note: expect.stringContaining(note) });
});

it('the history of a point master that is down leaves a note without what is secret in its address', async () => {
  const { url } = await openMaster(() => {});
  for (const master of masters) await new Promise((resolve) => master.close(resolve));
  const { note } = await historyAt(`${url.replace('://', '://user:secret@')}?key=secret`);
  expect(note).toBe(`The point master at ${url}/fetchPointHistory?(hidden) cannot be reached: nobody listens there.`);
});

it('the history of a point master that never answers is not waited for', async () => {
  const { url } = await openMaster(() => {});
  expect((await historyAt(url)).note).toContain('did not respond within 5 s');
});

it('the history of a point master that stalls in mid-answer is not waited for, though memory is tidied up', async () => {
  const { url } = await openMaster((response) => response.writeHead(200, { 'content-length': '100' }).write('[{'));
  const tidy = setInterval(() => globalThis.gc?.(), 50);
  expect((await historyAt(url)).note).toContain('did not respond within 5 s');
  clearInterval(tidy);
});

function endless(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', write);
  write();
}

it('of a history without an end no more is read than a history may have', async () => {
  const { url } = await openMaster(endless);
  expect((await historyAt(url)).note).toContain('began a response of more than 8 MB');
});

it('a point master is asked with the user and password of its address', async () => {
  const { url, asked } = await openMaster((response) => response.end('[]'));
  expect(await historyAt(url.replace('://', '://till:s%C3%A4cret@'))).toEqual({ items: [], note: null });
  expect(asked.authorization).toBe(`Basic ${Buffer.from('till:säcret').toString('base64')}`);
});

it('a redirect of the point master is not followed', async () => {
  const elsewhere = await openMaster((response) => response.end('[]'));
  const { url } = await openMaster((response) => response.writeHead(302, { location: elsewhere.url }).end());
  expect((await historyAt(url)).note).toContain('responded with 302, and redirects are not followed');
  expect(elsewhere.asked.url).toBeUndefined();
});

it('the history says that nobody is asked without an address', async () => {
  expect((await historyAt(undefined)).note).toContain('set pointMasterUrl');
});

it('there is no history of a service that keeps the points itself', async () => {
  const { get } = await openFollowerSim(undefined, { mode: 'standard' });
  expect((await get(`/__admin/contacts/${astrid}/card`)).body.pointHistory).toBeNull();
});

import { expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import { advance, assign, award, challengeDefinitions, challengesOf, checkpoints } from '../world.ts';
import type { Case } from '../world.ts';
import { astrid, bo, nobody } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const { reviews, visits } = challengeDefinitions;
const definitionsPath = '/api/v3/challenges/definitions';

async function openAssigned(): Promise<Client> {
  const client = await openRetailerSim();
  await assign(client, reviews);
  return client;
}

const relsOf = ({ links }: { links: { rel: string }[] }): string[] => links.map(({ rel }) => rel);

/** Of three blocks the one in the middle is right. */
const mixed: Case = async () => {
  const client = await openAssigned();
  const wrong = [checkpoints(1, nobody), checkpoints(1, astrid, nobody), checkpoints(0), checkpoints(1, bo)];
  const { status, body } = await award(client, ...wrong.slice(0, 2), checkpoints(2), ...wrong.slice(2));
  expect([status, body]).toEqual([
    200,
    { missingContactIds: [nobody], missingDefinitionIds: [nobody], notAccepted: wrong },
  ]);
  expect((await challengesOf(client)).items[0].completedCheckpoints).toBe(2);
};

export const challengeRules = {
  'challengeDefinition.id': async () => {
    const client = await openAssigned();
    const ids = async () => (await client.get(definitionsPath)).body.items.map(({ id }: { id: string }) => id);
    const before = await ids();
    await award(client, checkpoints(3));
    await advance(client, 'P2Y');
    expect(await ids()).toEqual(before);
  },
  'challengeDefinition.linkRels': async () => {
    const client = await openAssigned();
    await assign(client, visits);
    const pages = [
      (await client.get(`${definitionsPath}?offset=1&count=1`)).body,
      await challengesOf(client, '&offset=1'),
      await challengesOf(client),
    ];
    expect(pages.map(relsOf)).toEqual([['self', 'previous', 'next'], ['self', 'previous'], ['self']]);
    expect(pages.map(({ items }) => relsOf(items[0]))).toEqual([
      ['self'],
      ['self', 'definition'],
      ['self', 'definition'],
    ]);
  },
  'challenge.identifiers': async () => {
    const client = await openAssigned();
    await assign(client, reviews, bo);
    const { id, contactId, challengeId, links } = (await challengesOf(client)).items[0];
    expect([contactId, challengeId, links[1].id]).toEqual([astrid, reviews, reviews]);
    const found = (await client.get(`/api/v3/challenges/${id}`)).body;
    expect([found.contactId, found.links]).toEqual([astrid, links]);
  },
  'challenge.links': async () => {
    const client = await openAssigned();
    const [item] = (await challengesOf(client)).items;
    expect(relsOf(item)).toEqual(['self', 'definition']);
    const [self, definition] = item.links;
    expect((await client.call(self.method, self.href)).body).toEqual(item);
    expect((await client.call(definition.method, definition.href)).body.name).toBe('Reviews');
  },
  'challenge.textFilters': async () => {
    const client = await openAssigned();
    const found = (filter: string) => challengesOf(client, `&filter=${filter}`);
    const pages = await Promise.all(['All', 'Active', 'Completed', 'NotCompleted'].map(found));
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([1, 1, 0, 0]);
    const answers = ['All', 'Active', 'Draft', 'Scheduled', 'Ended'].map((status) =>
      client.get(`${definitionsPath}?status=${status}`),
    );
    expect((await Promise.all(answers)).map(({ body }) => body.totalCount)).toEqual([4, 1, 1, 1, 1]);
  },
  'challenges.integerParameters': async () => {
    const client = await openRetailerSim();
    expect((await assign(client, '1')).body).toBe(true);
    const byGuid = await challengesOf(client, `&definitionId=${reviews}`);
    expect([byGuid.totalCount, (await challengesOf(client, '&definitionId=1')).items]).toEqual([1, byGuid.items]);
    expect((await client.get(`${definitionsPath}/1`)).body.id).toBe(reviews);
    expect((await client.get('/api/v3/challenges?contactId=100001')).body.items).toEqual(byGuid.items);
  },
  'checkpoint.rule.1': mixed,
  'checkpoint.rule.2': mixed,
  'challenges.assignConsent': async () => {
    const client = await openAssigned();
    expect((await client.get(`${definitionsPath}/${reviews}`)).body.isContactConsentRequired).toBe(true);
    expect((await client.get(`/api/v3/contacts/${astrid}`)).body.consents).toEqual([]);
    expect((await challengesOf(client)).items[0].isActive).toBe(true);
  },
} satisfies Record<string, Case>;

export const challengeErrors = { 'error.rule.1': mixed } satisfies Record<string, Case>;

export const challengeTransitions = {
  'challenge.none→active': async () => {
    const client = await openRetailerSim();
    expect((await assign(client, reviews)).body).toBe(true);
    const before = await challengesOf(client);
    expect([before.items[0].isActive, before.items[0].completedCheckpoints]).toEqual([true, 0]);
    await award(client, checkpoints(1));
    const again = await assign(client, reviews);
    const after = await challengesOf(client);
    expect([again.status, again.body, after.items[0].completedCheckpoints]).toEqual([200, true, 1]);
    expect(after.items[0].id).toBe(before.items[0].id);
  },
  'challenge.active→active': async () => {
    const client = await openAssigned();
    await award(client, checkpoints(1));
    await award(client, checkpoints(1));
    const [{ isActive, completedCheckpoints }] = (await challengesOf(client)).items;
    expect([isActive, completedCheckpoints]).toEqual([true, 2]);
  },
} satisfies Record<string, Case>;

import { describe, expect, it } from 'vitest';
import { assign, award, block, challenge, definitions, listOf } from '../../support/challenges.ts';
import type { Answered, Client } from '../../support/client.ts';
import { astrid, bo, nobody } from '../../support/people.ts';
import { openChallengesSim } from '../../support/open-sim.ts';

const now = '2026-03-01T12:00:00.000Z';
const definitionsPath = '/api/v3/challenges/definitions';

const linkTo = (rel: string, id: string, path: string): object => ({ id, href: `${path}/${id}`, method: 'GET', rel });

const visits = {
  id: challenge(1),
  challengeId: definitions.visits,
  contactId: astrid,
  challengeStart: '2025-10-01T00:00:00Z',
  completedCheckpoints: 3,
  requiredCheckpoints: 5,
  isActive: true,
  isChallengeCompleted: false,
  latestCheckpointAddedOn: '2026-02-01T10:00:00+01:00',
  status: 3,
  links: [
    linkTo('self', challenge(1), '/api/v3/challenges'),
    linkTo('definition', definitions.visits, definitionsPath),
  ],
};

const shownVisits = {
  id: definitions.visits,
  name: 'Visits',
  description: 'Five times for 300 kr',
  checkpointAssignOn: 1,
  checkpointAssignOnAmount: 300,
  requiredNumberOfCheckpoints: 5,
  expirationMonths: 12,
  isContactConsentRequired: false,
  isScheduled: false,
  status: 1,
  createdBy: 'annika',
  modifiedBy: 'jens',
  createdOn: '2025-01-01T00:00:00Z',
  modifiedOn: '2025-02-01T00:00:00Z',
  links: [linkTo('self', definitions.visits, definitionsPath)],
};

const idsIn = ({ items }: { items: readonly { id: string }[] }): string[] => items.map(({ id }) => id);

const refused = ({ status, body }: Answered): unknown[] => [status, body.errorCode];

const get = async (path: string, client?: Client): Promise<Answered> =>
  (client ?? (await openChallengesSim())).get(path);

const advance = ({ post }: Client, duration: string): Promise<Answered> =>
  post('/__admin/clock', { advance: duration });

describe('GET /challenges', () => {
  it('lists all of a contact in the order they started', async () => {
    const { items, ...rest } = await listOf(await openChallengesSim(), astrid);
    expect(idsIn({ items })).toEqual([challenge(3), challenge(2), challenge(1)]);
    expect(items[2]).toEqual(visits);
    const href = `/api/v3/challenges?contactId=${astrid}&offset=0&count=100`;
    expect(rest).toEqual({
      links: [{ id: '', href, method: 'GET', rel: 'self' }],
      count: 3,
      offset: 0,
      totalCount: 3,
    });
  });

  it.each([
    ['All', [3, 2, 1]],
    ['active', [1]],
    ['COMPLETED', [3]],
    ['NotCompleted', [2]],
  ])('finds %s', async (filter, found) => {
    expect(idsIn(await listOf(await openChallengesSim(), astrid, `&filter=${filter}`))).toEqual(found.map(challenge));
  });

  it('finds the one of a definition by its GUID or number', async () => {
    const client = await openChallengesSim();
    const byId = await listOf(client, astrid, `&definitionId=${definitions.reviews.toUpperCase()}`);
    const byNumber = await listOf(client, astrid, '&definitionId=4');
    expect([idsIn(byId), idsIn(byNumber), byNumber.totalCount]).toEqual([[challenge(2)], [challenge(2)], 1]);
    expect((await listOf(client, astrid, '&definitionId=2')).totalCount).toBe(0);
    expect(idsIn(await listOf(client, astrid, '&definitionId=4&filter=Active'))).toEqual([]);
  });

  it('goes page by page, with and without a filter', async () => {
    const client = await openChallengesSim();
    const second = await listOf(client, astrid, '&offset=1&count=1');
    expect([idsIn(second), second.count, second.totalCount]).toEqual([[challenge(2)], 1, 3]);
    expect(second.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'previous', 'next']);
    await assign(client, definitions.socks, astrid);
    const filtered = await listOf(client, astrid, '&filter=Active&offset=1&count=1');
    expect([filtered.totalCount, filtered.items[0].requiredCheckpoints]).toEqual([2, 10]);
  });

  it('keeps those that start at the same moment in the order they were assigned', async () => {
    const client = await openChallengesSim();
    const assigned = [definitions.draft, definitions.visits, definitions.coats, definitions.socks];
    for (const id of assigned) await assign(client, id);
    const { items } = await listOf(client);
    expect(items.map(({ links }: { links: { id: string }[] }) => links[1]?.id)).toEqual(assigned);
  });

  it.each([
    ['', 400, 'ValidationError'],
    [`?contactId=${nobody}`, 404, 'ContactNotFound'],
    ['?contactId=17', 404, 'ContactNotFound'],
    [`?contactId=${astrid}&definitionId=99`, 404, 'ChallengeDefinitionNotFound'],
    [`?contactId=${astrid}&definitionId=x`, 404, 'ChallengeDefinitionNotFound'],
    [`?contactId=${astrid}&filter=Won`, 400, 'ValidationError'],
  ])('refuses %s', async (query, status, code) => {
    expect(refused(await get(`/api/v3/challenges${query}`))).toEqual([status, code]);
  });
});

describe('GET /challenges/{challengeId}', () => {
  it('answers one without its contact', async () => {
    expect((await get(`/api/v3/challenges/${challenge(1).toUpperCase()}`)).body).toEqual(visits);
  });

  it('links within the tenant that was called', async () => {
    const { body } = await get(`/t/oslo/api/v3/challenges/${challenge(1)}`);
    expect(body.links[0].href).toBe(`/t/oslo/api/v3/challenges/${challenge(1)}`);
    expect((await get(body.links[1].href)).body.id).toBe(definitions.visits);
  });

  it.each([nobody, 'x', '1'])('knows no %s', async (id) => {
    expect(refused(await get(`/api/v3/challenges/${id}`))).toEqual([404, 'ChallengeNotFound']);
  });

  it('says so when the id is one of a definition', async () => {
    const { body } = await get(`/api/v3/challenges/${definitions.visits}`);
    expect(body.message).toContain('it is the id of a challenge definition');
  });
});

describe('GET /challenges/definitions', () => {
  it.each([
    ['', 7],
    ['?status=all', 7],
    ['?status=Active', 4],
    ['?status=draft', 1],
    ['?status=Scheduled', 1],
    ['?status=ENDED', 1],
  ])('finds by %s', async (query, count) => {
    const { body } = await get(`${definitionsPath}${query}`);
    expect([body.count, body.totalCount, body.items.length]).toEqual([count, count, count]);
  });

  it('shows each with its numbers, in order, page by page', async () => {
    const { body } = await get(`${definitionsPath}?count=2`);
    expect(idsIn(body)).toEqual([definitions.visits, definitions.socks]);
    expect(body.items[0]).toEqual(shownVisits);
    expect(idsIn((await get(body.links[1].href)).body)).toEqual([definitions.coats, definitions.reviews]);
    const { items } = (await get(definitionsPath)).body;
    expect(items.map(({ status }: { status: number }) => status)).toEqual([1, 1, 1, 1, 3, 4, 2]);
    expect(items.map((item: { checkpointAssignOn: number }) => item.checkpointAssignOn)).toEqual([1, 2, 3, 0, 0, 0, 0]);
  });

  it('answers one by its GUID or number, as in the list', async () => {
    const answers = [definitions.visits, '1'].map((id) => get(`${definitionsPath}/${id}`));
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual([shownVisits, shownVisits]);
  });

  it.each([nobody, '8', '0', '01', 'x'])('knows no %s', async (id) => {
    expect(refused(await get(`${definitionsPath}/${id}`))).toEqual([404, 'ChallengeDefinitionNotFound']);
  });
});

describe('POST assign', () => {
  it('gives a contact an active challenge without checkpoints, whatever its consents', async () => {
    const client = await openChallengesSim();
    const { status, body, warnings } = await assign(client, definitions.reviews);
    expect([status, body, warnings]).toEqual([200, true, '']);
    const { items } = await listOf(client);
    expect(items).toEqual([
      expect.objectContaining({
        contactId: bo,
        challengeStart: now,
        completedCheckpoints: 0,
        isActive: true,
        latestCheckpointAddedOn: null,
        status: 3,
      }),
    ]);
  });

  it.each(['visits', 'reviews', 'ended'] as const)('leaves what is there as it was: %s', async (name) => {
    const client = await openChallengesSim();
    const before = await listOf(client, astrid);
    expect((await assign(client, definitions[name], astrid)).body).toBe(true);
    expect(await listOf(client, astrid)).toEqual(before);
  });

  it('takes the number of a definition, and warns of one that is not active', async () => {
    const client = await openChallengesSim();
    const { body, warnings } = await assign(client, '7');
    expect([body, warnings]).toEqual([true, expect.stringContaining('"Idea" is Draft')]);
    expect((await listOf(client)).items[0].isActive).toBe(true);
  });

  it.each([
    [nobody, `?contactId=${bo}`, 404, 'ChallengeDefinitionNotFound'],
    [definitions.visits, `?contactId=${nobody}`, 404, 'ContactNotFound'],
    [definitions.visits, '?contactId=1', 404, 'ContactNotFound'],
    [definitions.visits, '', 400, 'ValidationError'],
  ])('refuses %s%s', async (id, query, status, code) => {
    const { post } = await openChallengesSim();
    expect(refused(await post(`${definitionsPath}/${id}/assign${query}`))).toEqual([status, code]);
  });
});

describe('time', () => {
  it('ends a challenge at its start plus its months, to the millisecond', async () => {
    const client = await openChallengesSim({ now: '2026-09-30T23:59:59.999Z' });
    const stateOf = async () => (await client.get(`/api/v3/challenges/${challenge(1)}`)).body;
    expect(await stateOf()).toEqual(visits);
    await advance(client, '1ms');
    expect(await stateOf()).toEqual({ ...visits, isActive: false, status: 2 });
    expect((await award(client, block(definitions.visits, 2, astrid))).body.notAccepted.length).toBe(1);
  });

  it('leaves a completed challenge completed', async () => {
    const client = await openChallengesSim();
    await award(client, block(definitions.visits, 2, astrid));
    await advance(client, 'P2Y');
    expect((await client.get(`/api/v3/challenges/${challenge(1)}`)).body).toEqual({
      ...visits,
      completedCheckpoints: 5,
      isActive: false,
      isChallengeCompleted: true,
      latestCheckpointAddedOn: now,
      status: 1,
    });
  });

  it('never ends a challenge without months', async () => {
    const client = await openChallengesSim();
    await assign(client, definitions.socks);
    await advance(client, 'P50Y');
    expect((await listOf(client)).items[0].isActive).toBe(true);
  });

  it('is told of when time passes its end, unless it was completed before', async () => {
    const client = await openChallengesSim();
    await assign(client, definitions.visits);
    const { body } = await client.post('/__admin/clock', { advance: 'P13M' });
    const ended = body.executed.filter(({ kind }: { kind: string }) => kind === 'challenges.end');
    expect(ended.map(({ at }: { at: string }) => at)).toContain('2027-03-01T12:00:00.000Z');
    const done = await openChallengesSim();
    await award(done, block(definitions.visits, 2, astrid));
    const { executed } = (await done.post('/__admin/clock', { advance: 'P13M' })).body;
    expect(executed.map(({ job }: { job: string }) => job)).not.toContain(`challenges/${challenge(1)}`);
  });
});

import { describe, expect, it } from 'vitest';
import { assign, award, block, definitions, listOf, progressOf } from '../../support/challenges.ts';
import { astrid, bo, nobody } from '../../support/people.ts';
import { openSim, openChallengesSim } from '../../support/open-sim.ts';

const nothing = { missingContactIds: [], missingDefinitionIds: [], notAccepted: [] };

describe('POST checkpoints', () => {
  it('adds to several challenges of several contacts, and lists nothing', async () => {
    const client = await openChallengesSim();
    await assign(client, definitions.visits);
    const blocks = [
      block(definitions.visits, 2),
      block(definitions.visits, 1, astrid),
      block(definitions.visits.toUpperCase(), 1),
    ];
    const { status, body, warnings } = await award(client, ...blocks);
    expect([status, body, warnings]).toEqual([200, nothing, '']);
    const { completedCheckpoints, latestCheckpointAddedOn, status: number } = (await listOf(client)).items[0];
    expect([completedCheckpoints, latestCheckpointAddedOn, number]).toEqual([3, '2026-03-01T12:00:00.000Z', 3]);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(4);
  });

  it('takes the number of a definition', async () => {
    const client = await openChallengesSim();
    expect((await award(client, block(1, 1, astrid), block('1', 1, astrid))).body).toEqual(nothing);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(5);
  });

  it('skips who and what is missing, names each once, and does the rest', async () => {
    const client = await openChallengesSim();
    const wrong = [
      block(definitions.visits, 1, nobody),
      block('no-such', 1, nobody),
      block('no-such', 1, astrid),
      block(definitions.visits, 1, 17),
    ];
    const { status, body } = await award(client, ...wrong, block(definitions.visits, 1, astrid));
    expect(status).toBe(200);
    expect(body).toEqual({ missingContactIds: [nobody, '17'], missingDefinitionIds: ['no-such'], notAccepted: wrong });
    expect(await progressOf(client, definitions.visits, astrid)).toBe(4);
  });

  it('does not guess whose checkpoints they are when contacts of two types share a member number', async () => {
    const client = await openSim();
    const shared = { contactType: 'Contact', email: 'x@example.com', memberNumber: '100001' };
    const { id } = (await client.post('/api/v3/contacts', shared)).body;
    const { body, warnings } = await award(client, block(1, 1, 100001));
    expect(body).toEqual({ ...nothing, notAccepted: [block(1, 1, 100001)] });
    expect(warnings).toContain('several contacts have the memberNumber 100001; name one by its id');
    const refused = await assign(client, '1', '100001');
    expect([refused.status, refused.body.messageDetails]).toEqual([409, { multipleMatchesFound: [id, astrid] }]);
  });

  it.each([0, -1, 1.5, '1', null, true, 1e300])('does not accept %j checkpoints', async (amount) => {
    const client = await openChallengesSim();
    const sent = block(definitions.visits, amount, astrid);
    const { body, warnings } = await award(client, sent);
    expect(body).toEqual({ ...nothing, notAccepted: [sent] });
    expect(warnings).toContain(
      `[0]: checkpointAmount must be a whole number of at least 1, not ${JSON.stringify(amount)}`,
    );
    expect(await progressOf(client, definitions.visits, astrid)).toBe(3);
  });

  it.each([[5], ['x'], [null], [[]], [{}]])('does not accept %j for a block', async (sent) => {
    const { status, body } = await award(await openChallengesSim(), sent);
    const empty = { definitionId: null, contactId: null, checkpointAmount: null };
    expect([status, body]).toEqual([200, { ...nothing, notAccepted: [empty] }]);
  });

  it.each([
    ['reviews', 'ended on 2025-12-01T00:00:00.000Z'],
    ['ended', 'is completed already'],
    ['socks', 'does not have the challenge "Socks"; assign it first'],
  ] as const)('does not accept any for %s, and says why', async (name, reason) => {
    const { body, warnings } = await award(await openChallengesSim(), block(definitions[name], 1, astrid));
    expect(body).toEqual({ ...nothing, notAccepted: [block(definitions[name], 1, astrid)] });
    expect(warnings).toContain(reason);
  });

  it('counts beyond what is required, but nothing after that', async () => {
    const client = await openChallengesSim();
    const blocks = [block(definitions.visits, 7, astrid), block(definitions.visits, 1, astrid)];
    expect((await award(client, ...blocks)).body.notAccepted).toEqual([blocks[1]]);
    expect(await progressOf(client, definitions.visits, astrid)).toBe(10);
  });

  it('assigns on the way with A-36=assign, but starts no ended one anew', async () => {
    const client = await openChallengesSim({ assumptions: { 'A-36': 'assign' } });
    expect((await award(client, block(definitions.socks, 4))).body).toEqual(nothing);
    expect(await progressOf(client, definitions.socks)).toBe(4);
    expect((await award(client, block(definitions.reviews, 1, astrid))).body.notAccepted.length).toBe(1);
    expect((await award(client, block(definitions.coats, 0))).body.notAccepted.length).toBe(1);
    expect(await progressOf(client, definitions.coats, bo)).toBeUndefined();
  });

  it('takes 1000 blocks and no more', async () => {
    const client = await openChallengesSim();
    await assign(client, definitions.socks);
    const blocks = Array.from({ length: 1001 }, () => block(definitions.socks));
    const { status, body } = await award(client, ...blocks);
    expect([status, body.errorCode]).toEqual([400, 'TooManyItems']);
    expect(await progressOf(client, definitions.socks)).toBe(0);
    expect((await award(client, ...blocks.slice(1))).body.notAccepted.length).toBe(990);
  });

  it.each([{}, 'x', null])('refuses the body %j', async (body) => {
    const { post } = await openChallengesSim();
    const answered = await post('/api/v3/challenges/checkpoints', JSON.stringify(body));
    expect([answered.status, answered.body.errorCode]).toEqual([400, 'ValidationError']);
  });
});

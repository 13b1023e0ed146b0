import { expect } from 'vitest';
import { lineOf, returnOf } from '../../support/receipt-lines.ts';
import {
  advance,
  assign,
  award,
  challengeDefinitions,
  challengesOf,
  checkpoints,
  refused,
  requestsRestingOn,
  sendReceipt,
} from '../world.ts';
import type { Client } from '../../support/client.ts';
import type { Case } from '../world.ts';
import { astrid } from '../../support/people.ts';
import { openRetailerSim } from '../../support/open-sim.ts';

const { reviews, visits, socks, coats } = challengeDefinitions;
const nothing = { missingContactIds: [], missingDefinitionIds: [], notAccepted: [] };

/** A contact with a challenge. */
async function holdReviews(assumptions: Record<string, string> = {}) {
  const client = await openRetailerSim({ assumptions });
  await assign(client, reviews);
  return { client, challenge: (await challengesOf(client)).items[0] };
}

/** What comes of assigning a challenge whose time ran out, with its status and checkpoints. */
async function assignOver(client: Client): Promise<readonly unknown[]> {
  await assign(client, reviews);
  await award(client, checkpoints(1));
  await advance(client, 'P6M');
  const { body, warnings } = await assign(client, reviews);
  const [{ status, completedCheckpoints }] = (await challengesOf(client)).items;
  return [body, warnings, [status, completedCheckpoints]];
}

export const challengeReadings = {
  'A-34': {
    default: async () => {
      const client = await openRetailerSim();
      const { items } = (await client.get('/api/v3/challenges/definitions')).body;
      const numbers = items.map((item: { checkpointAssignOn: number; status: number }) => [
        item.checkpointAssignOn,
        item.status,
      ]);
      expect(numbers).toEqual([
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ]);
      await assign(client, reviews);
      await assign(client, visits);
      const statuses = async (): Promise<number[]> =>
        (await challengesOf(client)).items.map(({ status }: { status: number }) => status);
      expect(await statuses()).toEqual([3, 3]);
      await award(client, checkpoints(5, undefined, visits));
      await advance(client, 'P6M');
      expect(await statuses()).toEqual([2, 1]);
    },
  },
  'A-35': {
    default: async () => {
      const client = await openRetailerSim();
      await assign(client, reviews);
      await award(client, checkpoints(2));
      const [before] = (await challengesOf(client)).items;
      await award(client, checkpoints(1));
      const [completed] = (await challengesOf(client)).items;
      expect(completed).toEqual({
        ...before,
        completedCheckpoints: 3,
        isChallengeCompleted: true,
        isActive: false,
        status: 1,
      });
      await assign(client, visits);
      expect((await challengesOf(client, '&filter=Active')).totalCount).toBe(1);
    },
  },
  'A-36': {
    default: async () => {
      const client = await openRetailerSim();
      const block = checkpoints(1);
      expect((await award(client, block)).body).toEqual({ ...nothing, notAccepted: [block] });
      expect((await challengesOf(client)).totalCount).toBe(0);
    },
    assign: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-36': 'assign' } });
      expect((await award(client, checkpoints(1))).body).toEqual(nothing);
      expect((await challengesOf(client)).items[0].completedCheckpoints).toBe(1);
    },
  },
  'A-37': {
    default: async () => {
      const client = await openRetailerSim();
      await assign(client, reviews);
      const { status, body } = await award(client, checkpoints(1));
      expect([status, body]).toEqual([200, nothing]);
      const { status: refusal } = await award(client, ...Array.from({ length: 1001 }, () => checkpoints(1)));
      expect(refusal).toBe(400);
    },
  },
  'A-59': {
    default: async () => {
      const client = await openRetailerSim();
      expect((await assign(client, '1', '100001')).body).toBe(true);
      expect((await award(client, { definitionId: 1, contactId: 100001, checkpointAmount: 2 })).body).toEqual(nothing);
      const byInteger = await client.get('/api/v3/challenges?contactId=100001&definitionId=1');
      expect(byInteger.body.items).toEqual((await challengesOf(client)).items);
      expect(byInteger.body.items[0]).toMatchObject({ contactId: astrid, completedCheckpoints: 2 });
      const [first] = (await client.get('/api/v3/challenges/definitions')).body.items;
      expect((await client.get('/api/v3/challenges/definitions/1')).body).toEqual(first);
      expect(refused(await assign(client, '1', '99'))).toEqual([404, 'ContactNotFound']);
    },
  },
  'A-60': {
    default: async () => {
      const client = await openRetailerSim();
      for (const definition of [visits, socks, coats]) await assign(client, definition);
      const bought = [
        lineOf({ quantity: 150, grossPaidPrice: 999 }),
        lineOf({ quantity: 60, grossPaidPrice: 1000 }),
        lineOf({ grossPaidPrice: 1000 }),
      ];
      await sendReceipt(client, { totalGrossPrice: 1000, items: [...bought, returnOf({ grossPaidPrice: 1999 })] });
      const { items } = await challengesOf(client);
      const earned = items.map(({ completedCheckpoints }: Record<string, number>) => completedCheckpoints);
      expect([earned, await requestsRestingOn(client, 'A-60')]).toEqual([[1, 2, 2], 1]);
    },
  },
  'A-66': {
    default: async () => {
      const client = await openRetailerSim();
      expect(await assignOver(client)).toEqual([true, expect.stringContaining('challenge-over'), [2, 1]]);
    },
    renew: async () => {
      const client = await openRetailerSim({ assumptions: { 'A-66': 'renew' } });
      expect(await assignOver(client)).toEqual([true, '', [3, 0]]);
      await advance(client, 'P7M');
      expect((await challengesOf(client)).items[0].status).toBe(2);
    },
  },
  'A-58': {
    challenge: async () => {
      const { challenge } = await holdReviews({ 'A-58': 'challenge' });
      expect(challenge.challengeId).toBe(challenge.id);
    },
    default: async () => {
      const { client, challenge } = await holdReviews();
      expect(challenge.challengeId).toBe(reviews);
      expect((await client.get(`/api/v3/challenges/${challenge.id}`)).body).toEqual(challenge);
      expect(refused(await client.get(`/api/v3/challenges/${reviews}`))).toEqual([404, 'ChallengeNotFound']);
    },
  },
} satisfies Record<string, Record<string, Case>>;

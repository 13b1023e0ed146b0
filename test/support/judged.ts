/** Plays a client that retries, and reads what the rules say of it. */
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Client } from './client.ts';
import { noteLateness } from './in-time.ts';
import { receiptOf } from './receipt.ts';
import { astrid } from './people.ts';

/** Calls some times; what fails, fails. */
export async function times(count: number, call: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await call(i).catch(() => {});
}

export const sendReceipt = ({ call }: Client, key: string, fields: object = {}, headers = {}): Promise<unknown> =>
  call('POST', '/api/v3/receipts', { body: receiptOf(astrid, key, fields), headers });

export const pointsRow = {
  contactId: astrid,
  definitionId: 1,
  amount: 120,
  timeStamp: '2026-03-01T11:00:00Z',
  source: 'Adjustment',
  description: 'x',
};

export const addPoints = ({ call }: Client, headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  call('POST', '/api/v3/point-accounts/transactions', { body: [pointsRow], headers });

export const lookForPoints = ({ get }: Client): Promise<unknown> => get(`/api/v3/point-accounts?contactId=${astrid}`);

export const award = ({ post }: Client): Promise<unknown> =>
  post('/api/v3/challenges/checkpoints', [
    { contactId: astrid, definitionId: '9b1d0c00-cccc-4000-8000-000000000001', checkpointAmount: 1 },
  ]);

export const advance = ({ post }: Client, length: string): Promise<unknown> =>
  post('/__admin/clock', { advance: length });

/** The clients of these tests have ended when they are judged. */
const verdictOf = async ({ get }: Client): Promise<Verdict> =>
  noteLateness((await get('/__admin/verdict?clientEnded=true')).body);

/** Returns `R1 fail` for each finding. */
export async function findingsOf(client: Client): Promise<string[]> {
  const { operations } = await verdictOf(client);
  return operations.flatMap(({ findings }) => findings.map(({ rule, level }) => `${rule} ${level}`));
}

/** Returns what is said in full. */
export async function messagesOf(client: Client): Promise<string[]> {
  const { operations } = await verdictOf(client);
  return operations.flatMap(({ findings }) => findings.map(({ rule, message }) => `${rule}: ${message}`));
}

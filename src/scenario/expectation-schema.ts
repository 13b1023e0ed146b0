/** What a person expects: of the calls that came in, and of the state that they led to. */
import * as z from 'zod';
import { pathPattern } from '../core/path-pattern.ts';
import { endpoints } from '../resources/endpoints.ts';
import { flag, integer, listOf, record, requiredText, text } from '../resources/formats.ts';
import { tables } from '../resources/tables.ts';
import { contradictions } from './contradictions.ts';
import { matchFields } from './schema.ts';

const times = integer.min(0, { error: 'must be at least 0' }).optional();
const yes = z.literal(true, { error: 'must be true' }).optional();
const wanted = z.unknown();

const statusForms = 'must be a status such as 200, a class such as 5xx, none for no answer, or a list of these';
const status = z.union([integer.min(100).max(599), z.enum(['none', '1xx', '2xx', '3xx', '4xx', '5xx'])], {
  error: statusForms,
});
const statuses = z.union([status, z.array(status).min(1)], { error: statusForms });

const { tenant: _tenant, ...matched } = matchFields;

const callSchema = record({
  ...matched,
  status: statuses.optional().describe('What the caller was told: 200, 5xx, none, or a list of these'),
  delivered: z
    .enum(['whole', 'partly', 'nothing'], { error: 'must be one of whole, partly, nothing' })
    .optional()
    .describe('How much of an answer the caller got'),
  by: z
    .enum(['client', 'script'], { error: 'must be client or script' })
    .optional()
    .describe('Who sent it: a step of the script, or somebody else'),
})
  .superRefine((match, context) => {
    for (const { path, message } of contradictions({ match })) {
      context.addIssue({ code: 'custom', path: path.slice(1), message });
    }
  })
  .meta({ id: 'ExpectedCall' });

/** Calls of one kind. */
export type ExpectedCall = z.output<typeof callSchema>;

const byDefinition = (what: string) =>
  wanted.optional().describe(`${what} of the first point definition, or {"<definition>": …} of those named`);

const stateSchema = record({
  contact: requiredText.optional().describe('Whom to look at: the id, or any key such as the e-mail address'),
  contactType: requiredText.optional().describe('Needed where contacts of several types have the key'),
  exists: flag.optional().describe('Whether there is such a contact'),
  fields: z.record(z.string(), wanted).optional().describe('Of the contact as the service answers it, by JSON path'),
  consents: z.record(z.string(), wanted).optional().describe('{"<consent>": true}'),
  balance: byDefinition('Active points'),
  pendingPoints: byDefinition('Pending points'),
  transactions: byDefinition('How many point transactions'),
  receipts: wanted.optional().describe('How many receipts the contact has'),
  orders: wanted.optional().describe('How many orders the contact has'),
  promotions: wanted.optional().describe('How many promotions were assigned to the contact'),
  redeemed: wanted
    .optional()
    .describe('How many promotions the contact has redeemed, or a list of those among them by id or externalId'),
  vouchers: wanted.optional().describe('How many reward vouchers the contact has'),
  checkpoints: wanted
    .optional()
    .describe('How many checkpoints the contact has over all challenges, or {"<definition>": …} of those named'),
  count: record(Object.fromEntries(tables.map(({ name }) => [name, wanted.optional()])))
    .optional()
    .describe('How many rows tables have: {"contacts": 21}'),
}).meta({ id: 'ExpectedState' });

export type ExpectedState = z.output<typeof stateSchema>;

const fields = {
  call: callSchema.optional().describe('Calls of this kind came in; at least once unless said otherwise'),
  exactly: times,
  atLeast: times,
  atMost: times,
  never: yes,
  order: listOf(callSchema).min(1).optional().describe('These came in in this order; others may stand in between'),
  noUnexpectedCalls: yes.describe('No calls but those that call, order or allow names; none that nothing serves'),
  allow: listOf(callSchema).optional(),
  state: stateSchema.optional().describe('What the service holds'),
  get: requiredText.optional().describe('A path that the service answers as expected: /api/v3/contacts/count'),
  status: statuses.optional().describe('Of the answer to get; 200 unless given'),
  body: wanted.optional().describe('Of the answer to get: the value, or fields by JSON path'),
};

/** The fields that say what an expectation is about, and those that go with each. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  call: ['exactly', 'atLeast', 'atMost', 'never'],
  order: [],
  noUnexpectedCalls: ['allow'],
  state: [],
  get: ['status', 'body'],
};

type Sent = Readonly<{ [Name in keyof typeof fields]?: z.output<(typeof fields)[Name]> }>;

function kindProblems(sent: Sent): readonly [path: string[], message: string][] {
  const given = Object.keys(kinds).filter((kind) => kind in sent);
  const [kind, ...others] = given;
  const names = Object.keys(kinds).join(', ');
  if (kind === undefined) return [[[], `must have one of ${names}`]];
  if (others.length > 0) return [[[], `must have only one of ${names}; ${given.join(' and ')} are two expectations`]];
  return Object.entries(kinds).flatMap(([owner, companions]) =>
    owner === kind ? [] : companions.filter((name) => name in sent).map((name) => alone(name, owner, kind)),
  );
}

const alone = (name: string, owner: string, kind: string): [string[], string] => [
  [name],
  `goes with ${owner}, not with ${kind}`,
];

function countProblems({ exactly, atLeast, atMost, never }: Sent): readonly [path: string[], message: string][] {
  const given = Object.entries({ exactly, atLeast, atMost, never }).filter(([, value]) => value !== undefined);
  const isAlone = given.length > 1 && (exactly !== undefined || never !== undefined);
  if (isAlone) return [[[given[1]?.[0] ?? ''], `can't stand beside ${given[0]?.[0]}: say one of them`]];
  if ((atLeast ?? 0) <= (atMost ?? Number.POSITIVE_INFINITY)) return [];
  return [[['atMost'], `must not be less than atLeast, ${atLeast}`]];
}

function stateProblems({ state }: Sent): readonly [path: string[], message: string][] {
  if (state === undefined) return [];
  const { contact, count, ...others } = state;
  const about = Object.keys(others).filter((name) => name !== 'contactType');
  if (contact === undefined) {
    if (about.length > 0) return [[['state'], `must name a contact, since ${about.join(', ')} are about one`]];
    return count === undefined ? [[['state'], 'must have a contact or count']] : [];
  }
  return about.length > 0 ? [] : [[['state'], 'must say what is expected of the contact, as {"exists": true}']];
}

const servedGets = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ path, aliases = [] }) => [path].concat(aliases))
  .map(pathPattern);

function getProblems({ get }: Sent): readonly [path: string[], message: string][] {
  // What stands for a value is only known when it is played.
  if (get === undefined || get.startsWith('${')) return [];
  const [path = ''] = get.split('?');
  if (servedGets.some((fits) => fits(path))) return [];
  return [[['get'], `must be a path that the service answers GET on, as /api/v3/contacts/count, not "${path}"`]];
}

/** What no schema finds wrong with an expectation. */
export function expectationProblems(sent: Sent): readonly [path: string[], message: string][] {
  return [...kindProblems(sent), ...countProblems(sent), ...stateProblems(sent), ...getProblems(sent)];
}

/** What stands in a list of expectations. */
export const expectationFields = { description: text.optional(), ...fields };

export const expectationSchema = record(expectationFields)
  .superRefine((sent, context) => {
    for (const [path, message] of expectationProblems(sent)) context.addIssue({ code: 'custom', path, message });
  })
  .meta({ id: 'Expectation' });

/** An expectation as it was written. */
export type Expectation = z.output<typeof expectationSchema>;

/** An expectation as test code writes it. */
export type ExpectationInput = z.input<typeof expectationSchema>;

export const expectationListSchema = listOf(expectationSchema);

import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse, endpoint } from '../../core/exchange/endpoint.ts';
import type { EndpointInput } from '../../core/exchange/endpoint.ts';
import { canonicalJson } from '../../core/exchange/operation-key.ts';
import { rowsOfSent, subjectOf } from '../../core/exchange/subject.ts';
import { itemsShown, pageSchema, pageQuery, paginate } from '../../core/exchange/pagination.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import { awardCheckpoints, maxAwardBlocks } from './checkpoints.ts';
import { findChallengeDefinition, getChallenge, getChallengeDefinition } from './lookup.ts';
import { challengeIdSource, serializeChallenge, serializeChallengeDefinition } from './serialize.ts';
import { assignChallenge, listChallenges, listDefinitions } from './operations.ts';
import {
  challengeDefinitions,
  challenges,
  awardResponseSchema,
  awardBlocks,
  challengeFilter,
  definitionFilter,
  challengeResponseSchema,
  challengeDefinitionResponseSchema,
} from './schema.ts';
import type { Challenge } from './schema.ts';

const tag = 'Challenges';

/** Holds a contact of the default fixture, a challenge of hers, and its definition. */
const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';
const herVisits = '9b1d0c00-eeee-4000-8000-000000000001';

/** Accepts both ids of a contact. */
const contactId = requiredText.describe("The contact's GUID, or its memberNumber as an integer");
const definitionId = requiredText.describe("The definition's GUID, or its place among all definitions, from 1");

const circumstances = (tenant: TenantContext, self: EndpointInput<unknown, unknown>['self']) => ({
  self,
  now: tenant.now(),
  challengeIdOf: challengeIdSource(tenant),
});

export const challengeEndpoints = [
  endpoint({
    id: 'listChallenges',
    method: 'GET',
    path: '/api/v3/challenges',
    tag,
    summary: "A contact's challenges with their progress, completed ones included, in the order they started",
    query: z.object({
      contactId,
      definitionId: definitionId.optional(),
      filter: challengeFilter.default('All').describe('NotCompleted: those whose time ran out'),
      ...pageQuery,
    }),
    responses: { 200: pageSchema(challengeResponseSchema) },
    errors: ['ContactNotFound', 'MultipleMatches', 'ChallengeDefinitionNotFound', 'ValidationError'],
    assumptions: ['A-06', 'A-34', 'A-35', 'A-53', 'A-58', 'A-59'],
    retry: 'safe',
    subjects: ({ query }) =>
      query['definitionId'] === undefined
        ? subjectOf('contact', query['contactId'])
        : subjectOf('challengeOf', query['contactId'], query['definitionId']),
    lists: {
      table: challenges.name,
      filters: ['filter'],
      isAskedFor: (tenant, { filter }, { definitionId: id, completedCheckpoints }: Challenge) =>
        filter?.toLowerCase() === 'active' &&
        completedCheckpoints < (tenant.get(challengeDefinitions, id)?.requiredNumberOfCheckpoints ?? 0),
    },
    examples: [
      { query: { contactId: astrid, filter: 'Active' }, status: 200 },
      { query: { contactId: astrid, definitionId: '1' }, status: 200 },
    ],
    handle: (tenant, { query, self }) => {
      const { totalCount, items } = listChallenges(tenant, query);
      const shown = circumstances(tenant, self);
      const page = paginate({
        self,
        page: query,
        totalCount,
        items: (wanted) => items(wanted).map((held) => serializeChallenge(held, shown)),
        counts: tenant.assumption('A-06'),
      });
      return apiResponse(200, page);
    },
  }),
  endpoint({
    id: 'getChallenge',
    method: 'GET',
    path: '/api/v3/challenges/{challengeId}',
    tag,
    summary: 'One challenge of one contact with its progress',
    responses: { 200: challengeResponseSchema },
    errors: ['ChallengeNotFound'],
    assumptions: ['A-34', 'A-35', 'A-53', 'A-58'],
    retry: 'safe',
    subjects: ({ params }) => subjectOf('challenge', params['challengeId']),
    examples: [{ params: { challengeId: herVisits }, status: 200 }],
    handle: (tenant, { params, self }) =>
      apiResponse(200, serializeChallenge(getChallenge(tenant, params.challengeId ?? ''), circumstances(tenant, self))),
  }),
  endpoint({
    id: 'listChallengeDefinitions',
    method: 'GET',
    path: '/api/v3/challenges/definitions',
    tag,
    summary: 'The challenges that there are, whoever has them: all, or those of one status',
    query: z.object({ status: definitionFilter.default('All'), ...pageQuery }),
    responses: { 200: pageSchema(challengeDefinitionResponseSchema) },
    errors: ['ValidationError'],
    assumptions: ['A-06', 'A-34', 'A-53'],
    retry: 'safe',
    examples: [{ query: { status: 'Active' }, status: 200 }],
    handle: (tenant, { query, self }) => {
      const { totalCount, items } = listDefinitions(tenant, query.status);
      const page = paginate({
        self,
        page: query,
        totalCount,
        items: (wanted) => items(wanted).map((definition) => serializeChallengeDefinition(definition, { self })),
        counts: tenant.assumption('A-06'),
      });
      return apiResponse(200, page);
    },
  }),
  endpoint({
    id: 'getChallengeDefinition',
    method: 'GET',
    path: '/api/v3/challenges/definitions/{definitionId}',
    tag,
    summary: 'One challenge definition, by its GUID or its place among all of them',
    responses: { 200: challengeDefinitionResponseSchema },
    errors: ['ChallengeDefinitionNotFound'],
    assumptions: ['A-34', 'A-53', 'A-59'],
    retry: 'safe',
    examples: [{ params: { definitionId: fiveVisits }, status: 200 }],
    handle: (tenant, { params, self }) =>
      apiResponse(
        200,
        serializeChallengeDefinition(getChallengeDefinition(tenant, params.definitionId ?? ''), { self }),
      ),
  }),
  endpoint({
    id: 'awardCheckpoints',
    method: 'POST',
    path: '/api/v3/challenges/checkpoints',
    tag,
    summary: 'Adds checkpoints to challenges; what is wrong is skipped and listed, the rest is done',
    body: awardBlocks,
    bodyRules: { maxItems: maxAwardBlocks },
    responses: { 200: awardResponseSchema },
    errors: ['TooManyItems', 'ValidationError'],
    assumptions: ['A-35', 'A-37', 'A-53', 'A-59'],
    retry: 'unkeyed',
    readBack: ['listChallenges', 'getChallenge'],
    subjects: ({ body }) =>
      rowsOfSent(body).flatMap((block) => [
        ...subjectOf('contact', block['contactId']),
        ...subjectOf('challengeOf', block['contactId'], block['definitionId']),
      ]),
    work: ({ body }) =>
      rowsOfSent(body).map((block) => ({
        subject: subjectOf('challengeOf', block['contactId'], block['definitionId']),
        effect: `${canonicalJson(block['checkpointAmount'])} checkpoints`,
      })),
    examples: [{ body: [{ definitionId: fiveVisits, contactId: astrid, checkpointAmount: 1 }], status: 200 }],
    handle: (tenant, { body }) => apiResponse(200, awardCheckpoints(tenant, body)),
  }),
  endpoint({
    id: 'assignChallenge',
    method: 'POST',
    path: '/api/v3/challenges/definitions/{definitionId}/assign',
    tag,
    summary: 'Gives a contact a challenge, without asking for consent; one that is there already stays as it is',
    query: z.object({ contactId }),
    responses: { 200: z.literal(true) },
    errors: ['ChallengeDefinitionNotFound', 'ContactNotFound', 'MultipleMatches', 'ValidationError'],
    assumptions: ['A-53', 'A-59', 'A-66'],
    retry: 'idempotent',
    readBack: ['listChallenges', 'getChallenge'],
    subjects: ({ params, query }) => [
      ...subjectOf('contact', query['contactId']),
      ...subjectOf('challengeOf', query['contactId'], params['definitionId']),
    ],
    wanted: 'the assigned challenge',
    isShownIn: (tenant, { params }, shown) => {
      const id = findChallengeDefinition(tenant, params['definitionId'] ?? '')?.id;
      return itemsShown(shown).some(({ links }) => rowsOfSent(links).some((one) => one['id'] === id));
    },
    examples: [{ params: { definitionId: fiveVisits }, query: { contactId: astrid }, status: 200 }],
    handle: (tenant, { params, query }) => {
      assignChallenge(tenant, { ...query, definitionId: params.definitionId ?? '' });
      return apiResponse(200, true);
    },
  }),
];

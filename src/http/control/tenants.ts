import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import { longestDelay } from '../../core/duration.ts';
import { answer } from '../../core/endpoint.ts';
import { jobs } from '../../core/jobs.ts';
import type { Tenant } from '../../core/tenant.ts';
import { defaultTenantName } from '../../core/tenants.ts';
import type { Tenants } from '../../core/tenants.ts';
import { didYouMean } from '../../core/warning.ts';
import { variantFault } from '../../resources/assumption-check.ts';
import { integer, record, requiredText, timestamp } from '../../resources/formats.ts';
import { invalidField, refusal } from '../../resources/refusals.ts';
import type { WrittenScenario } from '../../scenario/scenario-schema.ts';
import { shownUrl } from '../../webhooks/keys.ts';
import { webhookOptionFault } from '../../webhooks/settings.ts';
import { tenantObstacle } from '../tenant.ts';
import { controlEndpoint, pageParameters } from './control.ts';
import type { Control } from './control.ts';
import { duration, nameOf } from './formats.ts';
import { settingUp } from './named-files.ts';
import { namedScenario, namedScenarioMeaning, readScenario } from './named-scenario.ts';

const tag = 'Control: tenants';
const modes = ['standard', 'point-follower'] as const;
const fieldValidations = ['ignore', 'warn', 'strict'] as const;

const assumeBody = z.record(z.string(), z.string()).superRefine((sent, context) => {
  for (const [id, variant] of Object.entries(sent)) {
    const message = variantFault(id, variant);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
  }
});

/** One of the options about a webhook. */
const webhookText = (name: Parameters<typeof webhookOptionFault>[0]) =>
  requiredText.superRefine((sent, context) => {
    const message = webhookOptionFault(name, sent);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const setupFields = {
  fixtures: requiredText.optional().describe("A fixture file or folder; the sim's own unless given"),
  now: timestamp.optional().describe("Freezes the tenant's clock at this moment"),
  mode: nameOf('mode', modes).optional().describe('Whether the service keeps points itself, or follows a point master'),
  seed: integer.optional().describe('What ids and chance follow from'),
  assume: assumeBody.optional().describe('Variants of assumptions: {"A-24":"twice"}'),
  queueDelay: duration
    .refine(({ months, milliseconds }) => months === 0 && milliseconds >= 0 && milliseconds <= longestDelay, {
      error: 'must be a fixed length of time, at most 36525d',
    })
    .transform(({ milliseconds }) => milliseconds)
    .optional()
    .describe('How long queued work waits: 15m'),
  fieldValidation: nameOf('way of field validation', fieldValidations).optional(),
  webhookUrl: webhookText('webhookUrl').optional().describe('Where its webhooks go'),
  webhookKey: webhookText('webhookKey').optional().describe('The 32 characters that their payloads are encrypted with'),
  webhookSecret: webhookText('webhookSecret')
    .optional()
    .describe("What they are signed with; the key's own bytes else"),
  webhookEvents: z.array(webhookText('webhookEvents')).optional().describe('Kinds of events to send as well'),
  pointMasterUrl: webhookText('pointMasterUrl').optional().describe("Where a contact's point history is asked for"),
};

const scenario = namedScenario
  .optional()
  .describe(`What goes wrong for it, and how it is set up: ${namedScenarioMeaning}`);

const tenantBody = record({ name: requiredText, ...setupFields, scenario });

type TenantBody = z.output<typeof tenantBody>;

/** How a tenant is set up where it differs from the sim. */
export type TenantSetup = Omit<TenantBody, 'name' | 'scenario'> & { readonly scenario?: WrittenScenario };

export const tenantSchema = z
  .strictObject({
    name: z.string(),
    mode: z.enum(modes),
    now: z.string(),
    frozen: z.boolean(),
    seed: z.int(),
    assume: z.record(z.string(), z.string()),
    queueDelay: z.number().describe('In ms'),
    fieldValidation: z.enum(fieldValidations),
    webhookUrl: z.string().nullable().describe('Where its webhooks go, without what may be secret'),
    webhookEvents: z.array(z.string()),
    pointMasterUrl: z.string().nullable(),
    exchanges: z.int().describe('How many requests the journal holds'),
    queue: z.strictObject({ held: z.boolean(), jobs: z.int() }),
    rows: z.record(z.string(), z.int()).describe('How many rows each table has'),
  })
  .meta({ id: 'Tenant' });

export function showTenant(tenant: Tenant): z.infer<typeof tenantSchema> {
  const { mode, seed, assume, queueDelay, fieldValidation, webhook, pointMasterUrl } = tenant.settings;
  const tables = Object.entries(tenant.state.tables).filter(([name]) => name !== jobs.name);
  return {
    name: tenant.name,
    mode,
    now: toTimestamp(tenant.clock.now()),
    frozen: tenant.clock.frozen,
    seed,
    assume: { ...assume },
    queueDelay,
    fieldValidation,
    webhookUrl: webhook ? shownUrl(webhook.url) : null,
    webhookEvents: [...(webhook?.events ?? [])],
    pointMasterUrl: pointMasterUrl === undefined ? null : shownUrl(pointMasterUrl),
    exchanges: tenant.journal.size,
    queue: { held: tenant.agenda.held, jobs: tenant.count(jobs) },
    rows: Object.fromEntries(tables.map(([name, { rows }]) => [name, rows.size])),
  };
}

/** The refusal for a tenant that there isn't. */
export function noTenant(tenants: Tenants, name: string) {
  const known = [...tenants].map((tenant) => tenant.name);
  const hint = didYouMean(name, known) || '.';
  const message = `There is no tenant "${name}"${hint} POST /__admin/tenants makes one, and so does the first call to /t/${name}.`;
  return refusal('NotFound', { message });
}

function tenantNamed({ tenants }: Control, name: string): Tenant {
  const tenant = tenants.get(name);
  if (!tenant) throw noTenant(tenants, name);
  return tenant;
}

async function makeTenant(control: Control, body: TenantBody): Promise<Tenant> {
  const { tenants, makeTenant: make } = control;
  const { name, scenario: given, ...others } = body;
  const followed = given === undefined ? undefined : await readScenario(control, given, 'scenario');
  const setup = { ...others, ...(followed && { scenario: followed }) };
  if (tenants.get(name)) {
    const message = `There is a tenant "${name}" already; take another name, or DELETE /__admin/tenants/${name} first.`;
    throw refusal('Conflict', { message });
  }
  const obstacle = tenantObstacle(name, tenants);
  if (obstacle !== undefined) throw invalidField('name', obstacle);
  const fixtures = body.fixtures ?? followed?.fixtures;
  return settingUp(control, fixtures, () => tenants.add(make(name, setup)));
}

function removeTenant({ tenants }: Control, name: string): void {
  if (name === defaultTenantName) {
    throw refusal('Conflict', { message: 'The tenant "default" is always there; POST /__admin/reset empties it.' });
  }
  if (!tenants.remove(name)) throw noTenant(tenants, name);
}

export const tenantEndpoints = [
  controlEndpoint({
    id: 'listTenants',
    method: 'GET',
    path: '/__admin/tenants',
    tag,
    summary: 'All tenants, how they are set up and what they hold',
    query: z.object(pageParameters),
    answers: {
      200: z.strictObject({
        count: z.int().describe('How many there are, on all pages'),
        tenants: z.array(tenantSchema).describe('The newest last'),
      }),
    },
    retry: 'read',
    examples: [{ status: 200 }],
    handle: ({ tenants }, { query: { offset, limit } }) => {
      const shown = [...tenants].slice(offset, offset + limit);
      return answer(200, { count: tenants.size, tenants: shown.map(showTenant) });
    },
  }),
  controlEndpoint({
    id: 'getTenant',
    method: 'GET',
    path: '/__admin/tenants/{name}',
    tag,
    summary: 'One tenant, how it is set up and what it holds',
    answers: { 200: tenantSchema },
    refusals: ['NotFound'],
    retry: 'read',
    examples: [{ params: { name: 'default' }, status: 200 }],
    handle: (control, { params: { name = '' } }) => answer(200, showTenant(tenantNamed(control, name))),
  }),
  controlEndpoint({
    id: 'makeTenant',
    method: 'POST',
    path: '/__admin/tenants',
    tag,
    summary: 'Makes a tenant, set up like the sim but for what is said here',
    body: tenantBody,
    answers: { 201: tenantSchema },
    refusals: ['Conflict'],
    retry: 'keyed',
    examples: [{ body: { name: 'suite-1', now: '2026-03-01T12:00:00Z', queueDelay: '15m' }, status: 201 }],
    handle: async (control, { body }) => answer(201, showTenant(await makeTenant(control, body))),
  }),
  controlEndpoint({
    id: 'removeTenant',
    method: 'DELETE',
    path: '/__admin/tenants/{name}',
    tag,
    summary: 'Removes a tenant with all that it holds',
    answers: { 200: z.strictObject({ removed: z.string() }) },
    refusals: ['NotFound', 'Conflict'],
    retry: 'flip',
    examples: [{ params: { name: 'default' }, status: 409 }],
    handle: (control, { params: { name = '' } }) => {
      removeTenant(control, name);
      return answer(200, { removed: name });
    },
  }),
];

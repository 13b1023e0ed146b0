import * as z from '../core/validation/deferred-zod.ts';
import { monotonicNow, toTimestamp } from '../core/time/clock.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import { jobs } from '../core/time/jobs.ts';
import { startFrom } from '../core/tenant/past-tenant.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { defaultTenantName, tenantNamePattern } from '../core/tenant/registry.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { shownOptionFields, showOptions } from '../core/validation/option-definition.ts';
import { expectedType, objectOf, requiredText } from '../core/validation/field-types.ts';
import { invalidFieldError, apiError } from '../service/errors/catalog.ts';
import { redactUrl } from '../core/exchange/redaction.ts';
import { tenantRejectionReason } from '../http/pipeline/tenant-resolution.ts';
import { adminEndpoint, pageParameters } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';
import {
  resolveScenarioReference,
  scenarioReference,
  scenarioReferenceText,
  withSetupErrors,
} from './input/file-references.ts';
import { settingOptions, startOptions } from '../service/settings/tenant-options.ts';
import { findMoment } from './input/past-request.ts';
import { serializeTenantActivity, tenantActivitySchema } from './serialize/tenant-activity.ts';
import { tenantSetupFields } from './input/tenant-setup.ts';

const tag = 'Control: tenants';
const scenario = scenarioReference.optional().describe(`The scenario that it follows: ${scenarioReferenceText}`);

const branchPoint = objectOf({
  tenant: requiredText.optional().describe('The tenant of the request (default: "default")'),
  request: requiredText.describe('The id of a request in its journal'),
  side: z
    .enum(['before', 'after'], expectedType('before or after'))
    .default('after')
    .describe('Right before the work of the request was done, or right after'),
});

const branch = branchPoint
  .optional()
  .describe('Starts from state, clock and queue of a tenant as they were at a request, and set up as that tenant');

const tenantBody = objectOf({
  name: requiredText.describe('Name of the tenant'),
  ...tenantSetupFields,
  scenario,
  branch,
});

type TenantBody = z.output<typeof tenantBody>;

export const tenantSchema = z
  .strictObject({
    name: z.string(),
    now: z.string(),
    frozen: z.boolean(),
    ...shownOptionFields(settingOptions),
    webhookUrl: z.string().nullable().describe('URL of its webhooks, with secrets hidden'),
    webhookEvents: z.array(z.string()),
    pointMasterUrl: z.string().nullable(),
    exchanges: z.int().describe('Counts the requests in the journal'),
    queue: z.strictObject({ held: z.boolean(), jobs: z.int() }),
    rows: z.record(z.string(), z.int()).describe('Counts the rows by table'),
    activity: tenantActivitySchema.optional().describe('Sums up what happened in it, if that was requested'),
  })
  .meta({ id: 'Tenant' });

export function serializeTenant(tenant: Tenant): z.infer<typeof tenantSchema> {
  const { webhook, pointMasterUrl } = tenant.settings;
  const tables = Object.entries(tenant.state.tables).filter(([name]) => name !== jobs.name);
  return {
    name: tenant.name,
    now: toTimestamp(tenant.clock.now()),
    frozen: tenant.clock.isFrozen,
    ...showOptions(settingOptions, tenant.settings),
    webhookUrl: webhook ? redactUrl(webhook.url) : null,
    webhookEvents: [...(webhook?.events ?? [])],
    pointMasterUrl: pointMasterUrl === undefined ? null : redactUrl(pointMasterUrl),
    exchanges: tenant.journal.size,
    queue: { held: tenant.scheduler.isHeld, jobs: tenant.count(jobs) },
    rows: Object.fromEntries(tables.map(([name, { rows }]) => [name, rows.size])),
  };
}

/** Returns the error for a tenant that does not exist. */
export function tenantNotFound(tenants: TenantRegistry, name: string) {
  const known = [...tenants].map((tenant) => tenant.name);
  const hint = didYouMean(name, known) || '.';
  const byCall = tenantNamePattern.test(name) ? `, and so does the first call to /t/${name}` : '';
  const message = `There is no tenant "${name}"${hint} POST /__admin/tenants makes one${byCall}.`;
  return apiError('NotFound', { message });
}

/** Throws when there is no tenant of this name. */
export function findTenantByName({ tenants }: Pick<AdminContext, 'tenants'>, name: string): Tenant {
  const tenant = tenants.get(name);
  if (!tenant) throw tenantNotFound(tenants, name);
  return tenant;
}

async function createTenant(context: AdminContext, body: TenantBody): Promise<Tenant> {
  const { tenants, createTenant: create, createTenantLike, withSeed } = context;
  const { name, scenario: given, branch: point, ...others } = body;
  const followed = given === undefined ? undefined : await resolveScenarioReference(context, given, 'scenario');
  const setup = { ...others, ...(followed && { scenario: followed }) };
  rejectTakenName(tenants, name);
  if (point) {
    rejectOtherStart(body);
    const model = findTenantByName(context, point.tenant ?? defaultTenantName);
    const moment = await findMoment(model, point.request, point.side);
    const addBranch = (): Tenant => {
      rejectTakenName(tenants, name);
      return tenants.add(createTenantLike(model, name, setup, (branched) => startFrom(branched, moment)));
    };
    return withSetupErrors(context, undefined, () =>
      withSeed({ name, setup, model }, () => model.withStateSaved(moment.state, 'branch', addBranch)),
    );
  }
  const add = (): Tenant => {
    // Somebody else may have taken it meanwhile.
    rejectTakenName(tenants, name);
    return tenants.add(create(name, setup));
  };
  const fixtures = body.fixtures ?? followed?.fixtures;
  return withSetupErrors(context, fixtures, () => withSeed({ name, setup }, add));
}

function rejectTakenName(tenants: TenantRegistry, name: string): void {
  if (tenants.get(name)) {
    const wayOut =
      name === defaultTenantName ? 'POST /__admin/reset to empty it' : `DELETE /__admin/tenants/${name} first`;
    const message = `There is a tenant "${name}" already; take another name, or ${wayOut}.`;
    throw apiError('Conflict', { message });
  }
  const reason = tenantRejectionReason(name, tenants);
  if (reason !== undefined) throw invalidFieldError('name', reason);
}

/** Throws when a branch is to start from something else as well. */
function rejectOtherStart(body: TenantBody): void {
  const other = Object.keys(startOptions).find((field) => Object.hasOwn(body, field));
  if (other !== undefined)
    throw invalidFieldError(other, 'a branch takes that from where it is branched; leave it out');
}

function deleteTenant({ tenants }: AdminContext, name: string): void {
  if (name === defaultTenantName) {
    throw apiError('Conflict', { message: 'The tenant "default" is always there; POST /__admin/reset empties it.' });
  }
  if (!tenants.remove(name)) throw tenantNotFound(tenants, name);
}

export const tenantEndpoints = [
  adminEndpoint({
    id: 'listTenants',
    method: 'GET',
    path: '/__admin/tenants',
    tag,
    summary: 'Lists all tenants, how they are set up and what they hold',
    query: z.object({
      ...pageParameters,
      activity: z
        .stringbool({ error: 'must be true or false' })
        .optional()
        .meta({ type: 'boolean', description: 'true: sums up what happened in each tenant (default: false)' }),
    }),
    responses: {
      200: z.strictObject({
        count: z.int().describe('Counts the tenants on all pages'),
        tenants: z.array(tenantSchema).describe('Ends with the newest'),
      }),
    },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: ({ tenants }, { query: { offset, limit, activity = false } }) => {
      const now = monotonicNow();
      const shown = [...tenants].slice(offset, offset + limit).map((tenant) => ({
        ...serializeTenant(tenant),
        ...(activity && { activity: serializeTenantActivity(tenant, now) }),
      }));
      return apiResponse(200, { count: tenants.size, tenants: shown });
    },
  }),
  adminEndpoint({
    id: 'getTenant',
    method: 'GET',
    path: '/__admin/tenants/{name}',
    tag,
    summary: 'Shows a tenant, how it is set up and what it holds',
    responses: { 200: tenantSchema },
    errors: ['NotFound'],
    retry: 'safe',
    examples: [{ params: { name: 'default' }, status: 200 }],
    handle: (context, { params: { name = '' } }) => apiResponse(200, serializeTenant(findTenantByName(context, name))),
  }),
  adminEndpoint({
    id: 'createTenant',
    method: 'POST',
    path: '/__admin/tenants',
    tag,
    summary:
      'Creates a tenant, set up like the simulator except for the options given, or branches one from an earlier request',
    body: tenantBody,
    responses: { 201: tenantSchema },
    errors: ['Conflict', 'NotFound'],
    retry: 'keyed',
    examples: [{ body: { name: 'suite-1', now: '2026-03-01T12:00:00Z', queueDelay: '15m' }, status: 201 }],
    handle: async (context, { body }) => apiResponse(201, serializeTenant(await createTenant(context, body))),
  }),
  adminEndpoint({
    id: 'deleteTenant',
    method: 'DELETE',
    path: '/__admin/tenants/{name}',
    tag,
    summary: 'Deletes a tenant with everything that it holds',
    responses: { 200: z.strictObject({ deleted: z.string() }) },
    errors: ['NotFound', 'Conflict'],
    retry: 'once',
    examples: [{ params: { name: 'default' }, status: 409 }],
    handle: (context, { params: { name = '' } }) => {
      deleteTenant(context, name);
      return apiResponse(200, { deleted: name });
    },
  }),
];

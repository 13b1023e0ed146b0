import * as z from '../core/validation/deferred-zod.ts';
import { apiResponse } from '../core/exchange/endpoint.ts';
import type { AsyncEndpoint, EndpointExample } from '../core/exchange/endpoint.ts';
import type { ActiveRule, CompiledRule, RuleSet } from '../core/lib/rule-set.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { redactSpec } from '../scenario/redact-scenario.ts';
import { apiError } from '../service/errors/catalog.ts';
import { adminEndpoint, tenantQuery } from './input/admin-context.ts';
import type { AdminContext } from './input/admin-context.ts';

/** Returns the fields that every active rule has; the subjects are what a rule of this kind matches. */
export const activeRuleFields = (subjects: string) => ({
  id: z.string(),
  origin: z.enum(['scenario', 'added']).describe('scenario: part of the scenario; added: added at run time'),
  matched: z.int().describe(`Counts the ${subjects} that it matched`),
  fired: z.int().describe('Counts the times that it fired'),
  remaining: z.int().nullable().describe('Counts the times that it may still fire; null: unlimited'),
  rule: z.looseObject({}).describe('The rule as written, with keys hidden'),
});

type Active<Spec extends object> = ActiveRule<CompiledRule<Spec, never, unknown>>;

/** Returns {@link activeRuleFields} of a rule. */
export const serializeRule = <Spec extends object>({
  rule,
  origin,
  matched,
  fired,
}: Omit<Active<Spec>, 'samplerFor' | 'countPlace'>) => ({
  id: rule.id,
  origin,
  matched,
  fired,
  remaining: Number.isFinite(rule.limit) ? rule.limit - fired : null,
  rule: { ...redactSpec(rule.spec) },
});

interface RuleEndpointOptions<Spec extends object, Subject, Fault, Rule extends CompiledRule<Spec, Subject, Fault>> {
  /** Ends the ids of the endpoints: `Fault` for `addFault`. */
  readonly name: string;
  /** Calls the rules in a text: `rule`. */
  readonly noun: string;
  readonly path: string;
  readonly tag: string;
  readonly rulesOf: (tenant: Tenant) => RuleSet<Spec, Subject, Fault, Rule>;
  readonly body: z.ZodType<Spec>;
  /** Limits the characters of a text in a rule (default: as everywhere). */
  readonly maxTextLength?: number;
  readonly response: z.ZodType;
  readonly serialize: (active: ActiveRule<Rule, Subject>) => object;
  readonly examples: readonly EndpointExample[];
  /** Returns the tenant that gets a new rule (default: the tenant of the request). */
  readonly tenantFor?: (context: AdminContext, spec: Spec, named: string | undefined) => Tenant;
  /** Says what clearing does besides: `, and …`. */
  readonly alsoClears?: string;
  readonly onCleared?: (tenant: Tenant) => void;
}

/** Makes the endpoints that list, add, clear and delete the rules of one kind. */
export function ruleEndpoints<
  Spec extends { readonly id?: string | undefined },
  Subject,
  Fault,
  Rule extends CompiledRule<Spec, Subject, Fault>,
>(options: RuleEndpointOptions<Spec, Subject, Fault, Rule>): AsyncEndpoint<AdminContext>[] {
  const { name, noun, path, tag, rulesOf, response, serialize, alsoClears = '' } = options;
  const oneRule = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const { tenantFor = ({ tenant }: AdminContext) => tenant, onCleared } = options;
  const shared = { tag, query: tenantQuery };

  const add = (context: AdminContext, spec: Spec, named: string | undefined) => {
    const rules = rulesOf(tenantFor(context, spec, named));
    if (!rules.has(spec.id)) return rules.add(spec);
    const message = `There is ${oneRule} "${spec.id}" already; give this one another id or none, or DELETE ${path}/${spec.id} first.`;
    throw apiError('Conflict', { message });
  };

  const remove = (tenant: Tenant, id: string): void => {
    const rules = rulesOf(tenant);
    if (rules.remove(id)) return;
    const isPlanned = rules.has(id);
    const message = isPlanned
      ? `The ${noun} "${id}" is part of the scenario; PUT /__admin/scenario without it, or DELETE /__admin/scenario.`
      : `There is no ${noun} "${id}"; GET ${path} lists them.`;
    throw apiError(isPlanned ? 'Conflict' : 'NotFound', { message });
  };

  return [
    adminEndpoint({
      ...shared,
      id: `list${name}s`,
      method: 'GET',
      path,
      summary: `Lists the active ${noun}s in the order in which they are tried`,
      responses: { 200: z.strictObject({ rules: z.array(response) }) },
      retry: 'safe',
      examples: [{ status: 200 }],
      handle: ({ tenant }) => apiResponse(200, { rules: rulesOf(tenant).rules.map(serialize) }),
    }),
    adminEndpoint({
      ...shared,
      id: `add${name}`,
      method: 'POST',
      path,
      summary: `Adds ${oneRule} before all others`,
      body: options.body,
      bodyRules: { ...(options.maxTextLength !== undefined && { maxTextLength: options.maxTextLength }) },
      responses: { 201: response },
      errors: ['Conflict'],
      retry: 'unkeyed',
      examples: options.examples,
      handle: (context, { body, query }) => apiResponse(201, serialize(add(context, body, query.tenant))),
    }),
    adminEndpoint({
      ...shared,
      id: `clear${name}s`,
      method: 'DELETE',
      path,
      summary: `Deletes the ${noun}s added at run time${alsoClears}; those of the scenario stay`,
      responses: { 200: z.strictObject({ deleted: z.int() }) },
      retry: 'idempotent',
      examples: [{ status: 200 }],
      handle: ({ tenant }) => {
        const deleted = rulesOf(tenant).clearAdded();
        onCleared?.(tenant);
        return apiResponse(200, { deleted });
      },
    }),
    adminEndpoint({
      ...shared,
      id: `delete${name}`,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Deletes ${oneRule} that was added at run time`,
      responses: { 200: z.strictObject({ deleted: z.string() }) },
      errors: ['NotFound', 'Conflict'],
      retry: 'once',
      examples: [{ params: { id: 'none' }, status: 404 }],
      handle: ({ tenant }, { params: { id = '' } }) => {
        remove(tenant, id);
        return apiResponse(200, { deleted: id });
      },
    }),
  ];
}

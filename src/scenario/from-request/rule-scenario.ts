/** Writes a scenario file from a rule in force: the rule, and a request that meets it as steps. */
import { fillPathTemplate } from '../../core/exchange/path-template.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Fault } from '../../core/exchange/fault.ts';
import { whyInactive } from '../../core/lib/activation.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import { withIndexes } from '../../core/time/index-in-steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { FaultRule } from '../../faults/fault-rules.ts';
import { JournaledRequest, RequestView } from '../../matching/request-view.ts';
import { redactSpec } from '../redact-scenario.ts';
import { expectedOf, fileOf, repeatable, requestOf, textOf } from './request-scenario.ts';
import type { Fields, RequestScenario } from './request-scenario.ts';

interface Source {
  readonly rule: FaultRule;
  readonly tenant: Tenant;
  readonly endpoints: readonly Endpoint[];
}

/** Describes a request that the rule matches. */
interface Sample {
  readonly request: Fields;
  readonly endpoint: Endpoint | undefined;
  /** Says where it is from. */
  readonly origin: string;
  /** Holds the clock when it came, if that stood still. */
  readonly now?: string;
}

/** Looks at so many requests of the journal, the newest ones. */
const mostLookedAt = 1000;
/** Sends the request so often to meet the rule. */
const mostSteps = 10;

/** Returns a request of the journal that the rule has hit, or one that it would hit. */
function* journaledSample({ rule, tenant, endpoints }: Source): Steps<Sample | undefined> {
  let found: Exchange | undefined;
  const { matcher } = rule;
  for (const exchange of tenant.journal.toArray().slice(-mostLookedAt).toReversed()) {
    const isHit = exchange.fault?.rule === rule.id;
    const { endpoint } = new JournaledRequest(exchange);
    const isServed = exchange.response !== undefined && exchange.response.status < 400;
    if (!isHit && (found || !isServed || !matcher.mayApplyTo(endpoint))) continue;
    if (!isHit && !matcher.isAtTarget({ endpoint, exchange })) continue;
    const view = new RequestView(new JournaledRequest(exchange), tenant);
    if (!isHit && !(yield* withIndexes(() => rule.matches(view)))) continue;
    found = exchange;
    if (isHit) break;
  }
  if (!found) return undefined;
  const exchange = found;
  const endpoint = endpoints.find(({ id }) => id === exchange.endpoint);
  return {
    request: yield* requestOf({ exchange, endpoint }),
    endpoint,
    origin: `the request ${exchange.id}`,
    ...(tenant.clock.isFrozen && { now: toTimestamp(exchange.at) }),
  };
}

/** Returns an example of an endpoint that the rule names; a rule about single fields may want others. */
function exampleSample({ rule: { matcher }, endpoints }: Source): Sample | undefined {
  if (matcher.fields.length > 0) return undefined;
  for (const endpoint of endpoints) {
    const example = endpoint.examples.find(({ status }) => status < 400);
    if (!example) continue;
    const { params = {}, query, body } = example;
    const path = fillPathTemplate(endpoint.path, (name) => params[name] ?? '');
    if (!matcher.isAtTarget({ endpoint: endpoint.id, exchange: { method: endpoint.method, path } })) continue;
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return {
      request: { method: endpoint.method, path: path + search, ...(body !== undefined && { body }) },
      endpoint,
      origin: `an example of ${endpoint.id}`,
    };
  }
  return undefined;
}

/** Returns what the rule does to each sending of one request, up to the first that it lets pass afterwards. */
function faultsMet({ activation, faults }: FaultRule, isRepeatable: boolean): (Fault | undefined)[] {
  const { limit, from, until, probability } = activation;
  // Chance and the clock decide elsewhere.
  if (probability < 1 || Number.isFinite(from) || Number.isFinite(until)) return [];
  const met: (Fault | undefined)[] = [];
  let fired = 0;
  while (met.length < (isRepeatable ? mostSteps : 1)) {
    const matched = met.length + 1;
    const place = { operation: 1, attempt: matched };
    const isMet = !whyInactive(activation, { matched, place, fired, now: 0, sampler: undefined });
    met.push(isMet ? faults[fired % faults.length] : undefined);
    if (isMet) fired++;
    if ((isMet && limit === Infinity) || (!isMet && fired >= limit)) break;
  }
  return fired > 0 ? met : [];
}

function stepsOf({ request }: Sample, met: readonly (Fault | undefined)[]): Fields[] {
  if (met.length === 0) return [{ note: 'Add the requests here that meet the rule: it does not hit each one.' }];
  return met.map((fault, i) => {
    const expect = expectedOf(fault);
    const which = i === 0 ? 'the request' : 'the same request';
    return { name: fault ? `${which} meets the fault` : `${which} again`, request, ...(expect && { expect }) };
  });
}

/**
 * Returns a scenario that `exec` and `start` play against a client, and `run` by its steps; undefined when neither the
 * journal nor the examples of the endpoints have a request that meets the rule.
 */
export function* ruleScenario(source: Source): Steps<RequestScenario | undefined> {
  const sample = (yield* journaledSample(source)) ?? exampleSample(source);
  if (!sample) return undefined;
  const { endpoint, origin, now } = sample;
  const { id, spec } = source.rule;
  const { tenant: _tenant, ...match } = spec.match ?? {};
  const rule = redactSpec({ ...spec, ...(spec.match && { match }) });
  const subject = endpoint?.id ?? 'requests';
  const file = fileOf(subject, id);
  const text = yield* textOf(file, {
    name: `${subject} meets a fault`,
    description: `Made from the rule ${id}, with ${origin}`,
    ...(now !== undefined && { now }),
    rules: [rule],
    steps: stepsOf(sample, faultsMet(source.rule, repeatable.has(endpoint?.retry))),
  });
  return { file, text, rule };
}

/** Filters the journal by the query parameters of `GET /__admin/requests`. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Journal } from '../../core/exchange/journal.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { compileRequestMatcher } from '../../matching/request-matcher.ts';
import { requiredText } from '../../core/validation/field-types.ts';
import { invalidFieldError } from '../../service/errors/catalog.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import type { AdminContext } from './admin-context.ts';

const statusPattern = /^[1-5](\d\d|xx)$/i;

export const filterParameters = {
  endpoint: requiredText.optional().describe('The id of an endpoint, such as createContact'),
  method: requiredText.optional(),
  path: requiredText.optional().describe('A path, with {name} for one part of it and * for any text'),
  status: z.string().regex(statusPattern, { error: 'must be a status such as 404, or a class such as 4xx' }).optional(),
  contains: requiredText.optional().describe("Text in the request's body"),
  warnings: z
    .stringbool({ error: 'must be true or false' })
    .optional()
    .meta({ type: 'boolean', description: 'true: with warnings; false: without' }),
  fault: requiredText
    .optional()
    .describe('The id of a rule: requests hit by it; any: requests with a fault; none: requests without a fault'),
  since: requiredText.optional().describe('The id or the number of a request: requests after it'),
  after: integerParameter(0)
    .optional()
    .describe('The cursor of an earlier response: requests that were completed since, in that order'),
};

type Filter = { readonly [Name in keyof typeof filterParameters]?: z.output<(typeof filterParameters)[Name]> };
type ExchangePredicate = (exchange: Exchange) => boolean;

/** Returns a predicate that is true for completed exchanges that match the filter. */
export function compileFilter({ tenant, endpoints }: AdminContext, filter: Filter): ExchangePredicate {
  const { endpoint, method, path, status, contains, warnings, fault, since, after } = filter;
  const tests: ExchangePredicate[] = [({ finishedAt }) => finishedAt !== undefined];
  if (endpoint !== undefined) {
    const ids = endpoints.map(({ id }) => id);
    if (!ids.includes(endpoint)) {
      throw invalidFieldError('endpoint', `there is no endpoint "${endpoint}"${didYouMean(endpoint, ids)}`);
    }
  }
  if (endpoint !== undefined || method !== undefined || path !== undefined) {
    const { isAtTarget } = compileRequestMatcher({ endpoint, method, path });
    tests.push((exchange) => isAtTarget({ endpoint: exchange.endpoint, exchange }));
  }
  if (status !== undefined) tests.push((exchange) => hasStatus(exchange, status));
  if (contains !== undefined) tests.push(({ request }) => request.body?.includes(contains) ?? false);
  if (warnings !== undefined) tests.push(({ sideEffects }) => sideEffects.warnings.length > 0 === warnings);
  if (fault !== undefined) tests.push(faultPredicate(tenant, fault));
  if (since !== undefined) {
    const number = numberOf(tenant.journal, since);
    tests.push((exchange) => exchange.number > number);
  }
  if (after !== undefined) tests.push(({ completionNumber = 0 }) => completionNumber > after);
  return (exchange) => tests.every((test) => test(exchange));
}

function faultPredicate(tenant: Tenant, wanted: string): ExchangePredicate {
  if (wanted === 'any') return ({ fault }) => fault !== undefined;
  if (wanted === 'none') return ({ fault }) => fault === undefined;
  const active = scenarioOf(tenant).rules.map(({ rule }) => rule.id);
  const gone = [...tenant.journal.exchanges()].flatMap(({ fault }) => fault?.rule ?? []);
  const known = new Set([...active, ...gone, 'any', 'none']);
  if (!known.has(wanted)) throw invalidFieldError('fault', `there is no rule "${wanted}"${didYouMean(wanted, known)}`);
  return ({ fault }) => fault?.rule === wanted;
}

function hasStatus({ status }: Exchange, wanted: string): boolean {
  const text = String(status ?? '');
  return wanted.toLowerCase().endsWith('xx') ? text[0] === wanted[0] : text === wanted;
}

function numberOf(journal: Journal, since: string): number {
  const number = /^\d+$/.test(since) ? Number(since) : journal.get(since)?.number;
  if (number !== undefined) return number;
  throw invalidFieldError(
    'since',
    `no request has the id "${since}" (any more); the number of a request works even when the journal has dropped it`,
  );
}

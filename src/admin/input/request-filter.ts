/** Filters the journal by the query parameters of `GET /__admin/requests`. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Journal } from '../../core/exchange/journal.ts';
import { Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { integerParameter } from '../../core/exchange/pagination.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { maxContained, maxPathLength } from '../../matching/match-schema.ts';
import { compileRequestMatcher } from '../../matching/request-matcher.ts';
import { matchesStatus } from '../../matching/status-matcher.ts';
import { requiredText, upTo } from '../../core/validation/field-types.ts';
import { invalidFieldError } from '../../service/errors/catalog.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import { contactFinder, textsOfContact } from '../serialize/named-contact.ts';
import type { NamedContact } from '../serialize/named-contact.ts';
import type { AdminContext } from './admin-context.ts';

const statusPattern = /^(?:[1-5](\d\d|xx)|none)$/i;
const maxSearch = 200;

export const filterParameters = {
  endpoint: requiredText.optional().describe('The id of an endpoint, such as createContact'),
  method: requiredText.optional().describe('A method, in any case'),
  path: requiredText
    .max(...upTo(maxPathLength, 'characters'))
    .optional()
    .describe('A path, with {name} for one part of it and * for any text'),
  status: z
    .string()
    .regex(statusPattern, { error: 'must be a status such as 404, a class such as 4xx, or none' })
    .optional()
    .describe('A status such as 404, or a class such as 4xx; none: the client received no response'),
  search: requiredText
    .max(...upTo(maxSearch, 'characters'))
    .optional()
    .describe(
      'Words that all occur, in any case, in id, address, endpoint, rule, warnings, bodies, or name or keys of its contact',
    ),
  contains: requiredText
    .max(...upTo(maxContained, 'characters'))
    .optional()
    .describe("Text in the request's body"),
  warnings: z
    .stringbool({ error: 'must be true or false' })
    .optional()
    .meta({ type: 'boolean', description: 'true: with warnings; false: without' }),
  fault: requiredText
    .optional()
    .describe('The id of a rule: requests hit by it; any: requests with a fault; none: requests without a fault'),
  since: requiredText.optional().describe('The id or the number of a request: requests after it'),
  until: requiredText.optional().describe('The id or the number of a request: requests up to it'),
  inFlight: z
    .enum(['include', 'only'], { error: 'must be include or only' })
    .optional()
    .describe('include: those in flight as well; only: those alone (default: completed requests)'),
  after: integerParameter(0)
    .optional()
    .describe('The cursor of an earlier response: requests that were completed since, in that order'),
};

type Filter = { readonly [Name in keyof typeof filterParameters]?: z.output<(typeof filterParameters)[Name]> };
type ExchangePredicate = (exchange: Exchange) => boolean;

/** Selects exchanges. */
export interface RequestFilter {
  /** True for an exchange that may be meant, whose texts are to be searched then. */
  readonly isCandidate: ExchangePredicate;
  /** Searches the texts of one; undefined where nothing is searched for. */
  readonly search: ((exchange: Exchange) => Steps<boolean>) | undefined;
  /** Finds all that are meant, as they stand when it begins. */
  readonly select: (journal: Journal) => Steps<Exchange[]>;
}

/** Compiles a filter, which means completed exchanges unless it says otherwise. */
export function compileFilter(context: AdminContext, filter: Filter): RequestFilter {
  const { tenant, endpoints } = context;
  const { endpoint, method, path, status, search, contains, warnings, fault, since, until, inFlight, after } = filter;
  const tests: ExchangePredicate[] = [];
  if (inFlight !== 'include') tests.push(({ finishedAt }) => (finishedAt === undefined) === (inFlight === 'only'));
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
  if (status !== undefined) tests.push((exchange) => matchesStatus(status, exchange.status));
  if (warnings !== undefined) tests.push(({ sideEffects }) => sideEffects.warnings.length > 0 === warnings);
  if (fault !== undefined) tests.push(faultPredicate(tenant, fault));
  if (since !== undefined) {
    const number = numberOf(tenant.journal, 'since', since);
    tests.push((exchange) => exchange.number > number);
  }
  if (until !== undefined) {
    const number = numberOf(tenant.journal, 'until', until);
    tests.push((exchange) => exchange.number <= number);
  }
  // What is in flight was not shown yet, whatever the cursor.
  if (after !== undefined) tests.push(({ completionNumber = Infinity }) => completionNumber > after);
  // They cost the most, and come last: the others may leave little to search in.
  const searches: TextSearch[] = [];
  if (contains !== undefined) searches.push(containsSearch(contains));
  if (search !== undefined) searches.push(wordSearch(context, search));
  const isCandidate = allOf(tests);
  const portion = new Portion();
  function* isFound(exchange: Exchange): Steps<boolean> {
    for (const one of searches) if (!(yield* one(exchange, portion))) return false;
    return true;
  }
  return {
    isCandidate,
    search: searches.length > 0 ? isFound : undefined,
    *select(journal) {
      const candidates = [...journal.exchanges()].filter(isCandidate);
      if (searches.length === 0) return candidates;
      const found: Exchange[] = [];
      for (const exchange of candidates) {
        if (portion.isFullWith(0)) yield;
        if (yield* isFound(exchange)) found.push(exchange);
      }
      return found;
    },
  };
}

/** Searches the texts of an exchange, in portions of work. */
type TextSearch = (exchange: Exchange, portion: Portion) => Steps<boolean>;

const containsSearch = (wanted: string): TextSearch =>
  function* ({ request: { body = '' } }, portion) {
    if (portion.isFullWith(body.length)) yield;
    return body.includes(wanted);
  };

const allOf =
  (tests: readonly ExchangePredicate[]): ExchangePredicate =>
  (exchange) =>
    tests.every((test) => test(exchange));

function faultPredicate(tenant: Tenant, wanted: string): ExchangePredicate {
  if (wanted === 'any') return ({ fault }) => fault !== undefined;
  if (wanted === 'none') return ({ fault }) => fault === undefined;
  const active = scenarioOf(tenant).rules.map(({ rule }) => rule.id);
  const gone = [...tenant.journal.exchanges()].flatMap(({ fault }) => fault?.rule ?? []);
  const known = new Set([...active, ...gone, 'any', 'none']);
  if (!known.has(wanted)) throw invalidFieldError('fault', `there is no rule "${wanted}"${didYouMean(wanted, known)}`);
  return ({ fault }) => fault?.rule === wanted;
}

/** Finds out whether every word occurs in a request or in what its contact is known by, in any case. */
function wordSearch(context: AdminContext, search: string): TextSearch {
  const words = search.split(/\s+/).filter((word) => word !== '');
  const patterns = words.map((word) => new RegExp(word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'i'));
  const contactHas = contactSearch(context);
  return function* (exchange, portion) {
    const texts = textsOf(exchange);
    const missing: RegExp[] = [];
    for (const pattern of patterns) if (!(yield* isInAny(texts, pattern, portion))) missing.push(pattern);
    return missing.length === 0 || contactHas(exchange, missing);
  };
}

function* isInAny(texts: readonly string[], pattern: RegExp, portion: Portion): Steps<boolean> {
  for (const text of texts) {
    if (text.length > longText && portion.isFullWith(text.length)) yield;
    if (pattern.test(text)) return true;
  }
  return false;
}

/** Shorter texts are searched with the exchange that they belong to. */
const longText = 1000;

/** Returns a test of whether all patterns fit the contact of a request; each contact is looked at once for each pattern. */
function contactSearch({ tenant, endpoints }: AdminContext) {
  const contactOf = contactFinder(tenant, endpoints);
  // A contact that changes has another row.
  const known = new Map<unknown, Map<RegExp, boolean>>();
  const fits = (contact: NamedContact, pattern: RegExp): boolean => {
    const row = contact.row ?? contact.id;
    const found = known.get(row) ?? new Map<RegExp, boolean>();
    known.set(row, found);
    const result = found.get(pattern) ?? textsOfContact(contact).some((text) => pattern.test(text));
    found.set(pattern, result);
    return result;
  };
  return (exchange: Exchange, patterns: readonly RegExp[]): boolean => {
    const contact = contactOf(exchange);
    return contact !== undefined && patterns.every((pattern) => fits(contact, pattern));
  };
}

function textsOf({ id, method, path, query, endpoint, fault, request, response, delivered, sideEffects }: Exchange) {
  const warnings = sideEffects.warnings.flatMap(({ code, message }) => [code, message]);
  const texts = [id, method, path, query, endpoint, fault?.rule, request.body, response?.body, delivered?.body];
  return [...texts, ...warnings].filter((text) => text !== undefined);
}

function numberOf(journal: Journal, name: 'since' | 'until', wanted: string): number {
  const number = /^\d+$/.test(wanted) ? Number(wanted) : journal.get(wanted)?.number;
  if (number !== undefined) return number;
  throw invalidFieldError(
    name,
    `no request has the id "${wanted}" (any more); the number of a request works even when the journal has dropped it`,
  );
}

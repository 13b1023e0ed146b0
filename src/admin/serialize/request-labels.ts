/** Labels requests, so that a list distinguishes those of one path: by key, by contact, and by what was wrong. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { namedKey, parseJsonBody } from '../../core/exchange/operation-key.ts';
import { fieldsOfSent } from '../../core/exchange/subject.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { exchangeSummarySchema, serializeExchangeSummary } from './exchanges.ts';
import { contactFinder, fullNameOf } from './named-contact.ts';
import type { NamedContact } from './named-contact.ts';

const contactLabelSchema = z.strictObject({ id: z.string(), name: z.string() });

export const listedExchangeSchema = exchangeSummarySchema
  .extend({
    key: z.string().nullable().describe('Its idempotency key, or its test id'),
    contact: contactLabelSchema.nullable().describe('The contact that it names; null for none, and for several'),
    error: z.string().nullable().describe('The code and the reason of an error response'),
  })
  .meta({ id: 'ListedExchange', description: 'A request in short, with what distinguishes it from others' });

type ListedExchange = z.infer<typeof listedExchangeSchema>;

/** Returns a function that serializes requests of a tenant for a list. */
export function exchangeLister(tenant: Tenant, endpoints: readonly Endpoint[]): (exchange: Exchange) => ListedExchange {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const contactOf = contactFinder(tenant, endpoints);
  return (exchange) => {
    const endpoint = byId.get(exchange.endpoint ?? '');
    return {
      ...serializeExchangeSummary(exchange),
      key: namedKey(exchange, endpoint)?.value ?? null,
      contact: contactLabel(contactOf(exchange)),
      error: describeErrorResponse(exchange),
    };
  };
}

function contactLabel(contact: NamedContact | undefined): ListedExchange['contact'] {
  if (!contact) return null;
  const { id, row } = contact;
  const { memberNumber, email } = row?.attributes ?? {};
  return { id, name: (row && fullNameOf(row)) || String(memberNumber ?? email ?? id) };
}

/** Returns `ValidationError: email: must be a text`, or null for a request that was not rejected. */
function describeErrorResponse({ response, delivered, status }: Exchange): string | null {
  if ((response?.status ?? status ?? 0) < 400) return null;
  const body = fieldsOfSent(parseJsonBody(delivered?.body ?? response?.body));
  const { errorCode, message, validationErrors } = body;
  const fields = Array.isArray(validationErrors) ? validationErrors.map(describeFieldError) : [];
  const reason = fields.length > 0 ? fields.join('; ') : message;
  return [errorCode, reason].filter((part) => typeof part === 'string' && part !== '').join(': ') || null;
}

function describeFieldError(error: unknown): string {
  const { field, errorDescription } = fieldsOfSent(error);
  return [field, errorDescription].filter((part) => typeof part === 'string' && part !== '').join(': ');
}

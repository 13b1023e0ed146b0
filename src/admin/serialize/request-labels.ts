/** Labels requests, so that a list distinguishes those of one path: by key, by contact, and by what was wrong. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { operationKey, parseJsonBody } from '../../core/exchange/operation-key.ts';
import { fieldsOfSent } from '../../core/exchange/subject.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { contactSubjectName } from '../../service/contacts/subjects.ts';
import { contacts } from '../../service/contacts/schema.ts';
import { Subjects } from '../../verdict/history/subjects.ts';
import { exchangeSummarySchema, serializeExchangeSummary } from './exchanges.ts';

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
  const subjects = new Subjects(tenant, []);
  return (exchange) => {
    const endpoint = byId.get(exchange.endpoint ?? '');
    return {
      ...serializeExchangeSummary(exchange),
      key: operationKey(exchange, endpoint).value ?? null,
      contact: contactLabel(tenant, [...subjects.contactsNow(exchange, endpoint)]),
      error: describeErrorResponse(exchange),
    };
  };
}

function contactLabel(tenant: Tenant, [name, ...others]: readonly string[]): ListedExchange['contact'] {
  if (name === undefined || others.length > 0) return null;
  const id = name.slice(contactSubjectName('').length);
  const { firstName, lastName, memberNumber, email } = tenant.get(contacts, id)?.attributes ?? {};
  const fullName = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return { id, name: fullName || String(memberNumber ?? email ?? id) };
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

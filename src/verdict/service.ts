/** Asks the service itself, without a trace: nothing is journalled, nothing happens, no fault befalls it. */
import { Refusal } from '../core/errors.ts';
import { fieldErrors } from '../core/fields.ts';
import type { Tenant } from '../core/tenant.ts';
import { invalid, refusal } from '../resources/refusals.ts';
import { servedAt } from './served.ts';

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** What GET on a path would be answered with. */
export function ask(tenant: Tenant, target: string): Answered {
  try {
    return answerTo(tenant, target);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, details, validationErrors } = error;
    return { status, body: { errorCode: code, message, ...details, ...(validationErrors && { validationErrors }) } };
  }
}

function answerTo(tenant: Tenant, target: string): Answered {
  const [path = '', search = ''] = target.split('?');
  const served = servedAt('GET', path);
  if (!served) throw refusal('EndpointNotFound', { message: `GET ${path} is not served here.` });
  const { endpoint, params } = served;
  // A blank parameter counts as absent.
  const sent = Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ''));
  const parsed = endpoint.query?.safeParse(sent);
  if (parsed?.error) throw invalid(fieldErrors(parsed.error));
  const input = { params, query: parsed?.data, body: undefined, headers: {}, self: { path, query: sent } };
  // Parsed by the endpoint's own schemas.
  const answered = tenant.rehearse(() => endpoint.handle(tenant, input as never));
  if (answered instanceof Promise) throw new Error(`${endpoint.id} answers later, which can't be rehearsed`);
  return answered;
}

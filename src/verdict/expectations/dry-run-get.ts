/** Asks the service itself, without a trace: nothing is journalled, nothing happens, no fault befalls it. */
import { ApiError } from '../../core/exchange/api-error.ts';
import { fieldErrors } from '../../core/validation/unknown-fields.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { validationError, apiError } from '../../service/errors/catalog.ts';
import { findEndpoint } from '../../service/endpoint-lookup.ts';

interface DryRunResponse {
  readonly status: number;
  readonly body: unknown;
}

/** What GET on a path would be answered with. */
export function dryRunGet(tenant: Tenant, target: string): DryRunResponse {
  try {
    return answerTo(tenant, target);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, details, validationErrors } = error;
    return { status, body: { errorCode: code, message, ...details, ...(validationErrors && { validationErrors }) } };
  }
}

function answerTo(tenant: Tenant, target: string): DryRunResponse {
  const [path = '', search = ''] = target.split('?');
  const served = findEndpoint('GET', path);
  if (!served) throw apiError('EndpointNotFound', { message: `GET ${path} is not served here.` });
  const { endpoint, params } = served;
  // A blank parameter counts as absent.
  const sent = Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ''));
  const parsed = endpoint.query?.safeParse(sent);
  if (parsed?.error) throw validationError(fieldErrors(parsed.error));
  const input = { params, query: parsed?.data, body: undefined, headers: {}, self: { path, query: sent } };
  // Parsed by the endpoint's own schemas.
  return tenant.dryRun(() => endpoint.handle(tenant, input as never));
}

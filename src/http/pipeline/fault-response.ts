import { STATUS_CODES } from 'node:http';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { ApiError } from '../../core/exchange/api-error.ts';
import type { Fault } from '../../core/exchange/fault.ts';
import { errorCatalog } from '../../service/errors/catalog.ts';
import type { ApiErrorCode } from '../../service/errors/catalog.ts';
import type { AppContext } from '../context.ts';
import { isBodilessStatus } from '../transport/wire-plan.ts';
import { createResponse, errorBody, jsonHeaders, textHeaders } from './response.ts';

/** Keeps scripts of a fault's HTML from running on our own origin, where the control API and the dashboard are. */
const sandbox = { 'content-security-policy': 'sandbox' };

/** Creates the fault's own response, in place of the service's. */
export function faultResponse(
  c: AppContext,
  { status = 500, body, headers: given }: Fault,
  endpoint?: Endpoint,
): Response {
  const headers = { ...sandbox, ...lowerCaseNames(given) };
  if (isBodilessStatus(status) || status === 205) return createResponse(c, { status, headers, text: '' });
  if (typeof body === 'string')
    return createResponse(c, { status, headers: { ...textHeaders, ...headers }, text: body });
  const text = JSON.stringify(body === undefined ? serviceBody(c, status, endpoint) : body);
  return createResponse(c, { status, headers: { ...jsonHeaders, ...headers }, text });
}

/** Lowers the names of headers, so that a given one replaces ours whatever its case. */
const lowerCaseNames = (headers: Fault['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the body that the service itself sends with this status. */
function serviceBody(c: AppContext, status: number, endpoint: Endpoint | undefined): object {
  //
  return status < 400 ? {} : errorBody(apiErrorFor(status, endpoint), c.get('exchange').id);
}

/** Maps a status to the error code that any endpoint may respond with. */
const commonCodes: Readonly<Record<number, ApiErrorCode>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  500: 'InternalError',
};

/** Holds the messages of statuses that a gateway sends, rather than the service. */
const gatewayMessages: Readonly<Record<number, string>> = {
  502: 'The gateway got no valid response from the service.',
  503: 'The service is not available at the moment.',
  504: 'The gateway got no response from the service in time.',
};

/** Returns the endpoint's first declared error of this status; else a common one, or the status in words. */
function apiErrorFor(status: number, endpoint: Endpoint | undefined): ApiError {
  const declared = endpoint?.errors?.filter(isApiErrorCode).find((code) => errorCatalog[code].status === status);
  const code = declared ?? commonCodes[status];
  if (code) return new ApiError({ code, status, message: errorCatalog[code].message });
  const reason = STATUS_CODES[status] ?? `Status ${status}`;
  return new ApiError({
    code: reason.replaceAll(/[^A-Za-z0-9]/g, ''),
    status,
    message: gatewayMessages[status] ?? `${reason}.`,
  });
}

const isApiErrorCode = (code: string): code is ApiErrorCode => Object.hasOwn(errorCatalog, code);

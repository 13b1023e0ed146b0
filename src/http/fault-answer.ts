import { STATUS_CODES } from 'node:http';
import type { Endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/errors.ts';
import type { Fault } from '../core/faults.ts';
import { refusals } from '../resources/refusals.ts';
import type { RefusalCode } from '../resources/refusals.ts';
import type { AppContext } from './context.ts';
import { hasNoBody } from './cut.ts';
import { answerWith, errorBody, jsonHeaders } from './send.ts';

const textHeaders = { 'content-type': 'text/plain; charset=utf-8' };

/** The fault's own answer, in place of the service's. */
export function faultAnswer(
  c: AppContext,
  { status = 500, body, headers: given }: Fault,
  endpoint?: Endpoint,
): Response {
  const headers = lowerCased(given);
  if (hasNoBody(status) || status === 205) return answerWith(c, { status, headers, text: '' });
  if (typeof body === 'string') return answerWith(c, { status, headers: { ...textHeaders, ...headers }, text: body });
  const text = JSON.stringify(body === undefined ? ownBody(c, status, endpoint) : body);
  return answerWith(c, { status, headers: { ...jsonHeaders, ...headers }, text });
}

/** A header given in any case stands in place of ours. */
const lowerCased = (headers: Fault['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** What the service itself would say with this status. */
function ownBody(c: AppContext, status: number, endpoint: Endpoint | undefined): object {
  //
  return status < 400 ? {} : errorBody(refusalFor(status, endpoint), c.get('exchange').id);
}

/** Codes that any endpoint may meet. */
const usualCodes: Readonly<Record<number, RefusalCode>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  500: 'InternalError',
};

/** What stands between a till and the service says, rather than the service. */
const gatewayWords: Readonly<Record<number, string>> = {
  502: 'The gateway got no valid answer from the service.',
  503: 'The service is not available at the moment.',
  504: 'The gateway got no answer from the service in time.',
};

/** The first refusal of this status that the endpoint declares; else a usual one, or the status in words. */
function refusalFor(status: number, endpoint: Endpoint | undefined): Refusal {
  const declared = endpoint?.refusals?.filter(isRefusalCode).find((code) => refusals[code].status === status);
  const code = declared ?? usualCodes[status];
  if (code) return new Refusal({ code, status, message: refusals[code].message });
  const reason = STATUS_CODES[status] ?? `Status ${status}`;
  return new Refusal({
    code: reason.replaceAll(/[^A-Za-z0-9]/g, ''),
    status,
    message: gatewayWords[status] ?? `${reason}.`,
  });
}

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

/** Calls the control API for the selected tenant. */
import { askForAdminKey } from '../ui/admin-key-dialog.ts';
import { selectedTenant, selectionSignal } from './selected-tenant.ts';

const keyName = 'loyalty-sim-admin-key';

interface AdminRequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Says in words that nobody responded; a browser only says that it failed to fetch. */
async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new Error('The simulator cannot be reached. The page goes on by itself once it is back.', { cause: error });
  }
}

/** Sends a request, with the admin key once one was needed. */
export async function fetchAdmin(
  method: string,
  path: string,
  { query = {}, body, signal }: AdminRequestOptions = {},
): Promise<Response> {
  const search = new URLSearchParams(query).toString();
  const key = sessionStorage.getItem(keyName);
  const response = await send(`/__admin${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: {
      ...(key !== null && { 'x-sim-admin-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.status !== 401) return response;
  // Another call may have got a key meanwhile.
  if (sessionStorage.getItem(keyName) === key) sessionStorage.setItem(keyName, await askForAdminKey(key));
  return fetchAdmin(method, path, { query, body, ...(signal && { signal }) });
}

interface AdminErrorBody {
  readonly message?: string;
  readonly validationErrors?: readonly { readonly field: string; readonly errorDescription: string }[];
}

function errorText({ message = 'rejected', validationErrors = [] }: AdminErrorBody): string {
  const fields = validationErrors.map(({ field, errorDescription }) =>
    field === '' ? errorDescription : `${field}: ${errorDescription}`,
  );
  return fields.length > 0 ? fields.join('; ') : message;
}

/** Returns the body of the response; throws its error message. */
export async function requestSim<Body>(method: string, path: string, sent: AdminRequestOptions = {}): Promise<Body> {
  const response = await fetchAdmin(method, path, sent);
  // The control API returns what it declares.
  const received = (await response.json()) as Body & AdminErrorBody;
  if (!response.ok) throw new Error(errorText(received));
  return received;
}

/** Does the same for the selected tenant. */
export const requestTenant = <Body>(
  method: string,
  path: string,
  { query, ...sent }: AdminRequestOptions = {},
): Promise<Body> =>
  requestSim(method, path, { ...sent, query: { ...query, tenant: selectedTenant() }, signal: selectionSignal() });

/** Calls of the control API, about the tenant that is looked at. */
import { askForAdminKey } from '../ui/admin-key-dialog.ts';

const keyName = 'loyalty-sim-admin-key';
let tenant = 'default';
/** What was asked about a tenant is of no interest once another is looked at. */
let looking = new AbortController();

export const selectedTenant = (): string => tenant;

export function selectTenant(name: string): void {
  looking.abort();
  looking = new AbortController();
  tenant = name;
}

interface AdminRequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Whether an admin key was needed: then a link can lead nowhere, as browsers send no key with it. */
export const needsAdminKey = (): boolean => sessionStorage.getItem(keyName) !== null;

/** Asks for something, with the admin key once one was needed. */
export async function fetchAdmin(
  method: string,
  path: string,
  { query = {}, body, signal }: AdminRequestOptions = {},
): Promise<Response> {
  const search = new URLSearchParams(query).toString();
  const key = sessionStorage.getItem(keyName);
  const response = await fetch(`/__admin${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: {
      ...(key !== null && { 'x-sim-admin-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.status !== 401) return response;
  // Others may have asked meanwhile.
  if (sessionStorage.getItem(keyName) === key) sessionStorage.setItem(keyName, await askForAdminKey(key));
  return fetchAdmin(method, path, { query, body, ...(signal && { signal }) });
}

interface AdminErrorBody {
  readonly message?: string;
  readonly validationErrors?: readonly { readonly field: string; readonly errorDescription: string }[];
}

function errorText({ message = 'refused', validationErrors = [] }: AdminErrorBody): string {
  const fields = validationErrors.map(({ field, errorDescription }) => `${field || 'it'} ${errorDescription}`);
  return fields.length > 0 ? fields.join('; ') : message;
}

/** What the sim answers; its refusal is thrown, in its own words. */
export async function requestSim<Answer>(
  method: string,
  path: string,
  sent: AdminRequestOptions = {},
): Promise<Answer> {
  const response = await fetchAdmin(method, path, sent);
  // The control API answers what it declares.
  const answer = (await response.json()) as Answer & AdminErrorBody;
  if (!response.ok) throw new Error(errorText(answer));
  return answer;
}

/** The same about the tenant that is looked at. */
export const requestTenant = <Answer>(
  method: string,
  path: string,
  { query, ...sent }: AdminRequestOptions = {},
): Promise<Answer> => requestSim(method, path, { ...sent, query: { ...query, tenant }, signal: looking.signal });

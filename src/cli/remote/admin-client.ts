/** How verbs talk to a running simulator: over its control API. */
import * as z from 'zod';
import { simFromEnvironment } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';

/** What every such verb can be told. */
export interface RemoteFlags {
  readonly url?: string | undefined;
  readonly adminKey?: string | undefined;
  readonly tenant?: string | undefined;
  readonly json?: boolean | undefined;
  readonly showPersonalData?: boolean | undefined;
}

interface AdminCall<Schema extends z.ZodType> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** What the verb reads of the answer. */
  readonly responseSchema: Schema;
  /** What the person who typed the command calls a field of it; its own name unless given. */
  readonly fieldLabel?: (field: string) => string;
  readonly signal?: AbortSignal;
}

/** Calls `/__admin` and the path; answers what came back. Throws `NoSimError` or `InputError`. */
export type AdminClient = <Schema extends z.ZodType>(
  path: string,
  call: AdminCall<Schema>,
) => Promise<z.output<Schema>>;

/** Nobody is there to talk to, or somebody else is. */
class NoSimError extends Error {
  override readonly name = 'NoSimError';
}

/** Where a simulator is unless somebody says otherwise. */
export const defaultSimUrl = 'http://127.0.0.1:4010';

const errorSchema = z.object({
  errorCode: z.string(),
  message: z.string(),
  validationErrors: z.array(z.object({ field: z.string(), errorDescription: z.string() })).optional(),
});

export function adminClient(flags: RemoteFlags): AdminClient {
  const { base, tenant, adminKey } = resolveTarget(flags);
  return async (
    path,
    { method = 'GET', query = {}, body, responseSchema: answer, fieldLabel: spoken = asSent, signal },
  ) => {
    const given = Object.entries({ tenant, ...query }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given as [string, string][]);
    const request = new Request(`${base}/__admin${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        'user-agent': 'loyalty-sim',
        ...(adminKey !== undefined && { 'x-sim-admin-key': adminKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const response = await send(request, base);
    const content = await contentOf(response, base);
    if (!response.ok) throw errorFromResponse(content, { base, adminKey, fieldLabel: spoken });
    const parsed = answer.safeParse(content);
    if (parsed.success) return parsed.data;
    throw notASim(base);
  };
}

interface Target {
  readonly base: string;
  readonly tenant: string | undefined;
  readonly adminKey: string | undefined;
}

/** An address may be that of the service, of a tenant of it, or of its control API. */
export function resolveTarget(flags: RemoteFlags): Target {
  const known = simFromEnvironment();
  const url = flags.url ?? known.url ?? defaultSimUrl;
  const [, base, tenant] = /^(https?:\/\/[^/?#\s]+)(?:\/t\/([^/?#]+))?(?:\/__admin)?\/?$/i.exec(url) ?? [];
  if (base === undefined || !URL.canParse(base)) {
    const source = flags.url === undefined ? 'LOYALTY_SIM_URL or LOYALTY_SIM_ADMIN_URL' : '--url';
    throw new InputError(`${source}: expected the address of a simulator, as ${defaultSimUrl}, got "${url}"`);
  }
  return { base, tenant: flags.tenant ?? tenant, adminKey: flags.adminKey ?? known.adminKey };
}

async function send(request: Request, base: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    // fetch says why only in its cause.
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    const why = cause?.code === undefined ? '' : ` (${cause.code})`;
    throw new NoSimError(
      `No simulator answers at ${base}${why}. Start one with "loyalty-sim start", or name another with --url.`,
    );
  }
}

async function contentOf(response: Response, base: string): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw notASim(base);
  }
}

const notASim = (base: string): NoSimError =>
  new NoSimError(`What answers at ${base} is no simulator, or one of another version; name another with --url.`);

const asSent = (field: string): string => field;

/** The flag that a field is given by: `contactId` by `--contact-id`. */
export const flagForField = (field: string): string =>
  `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

interface ErrorContext extends Pick<Target, 'base' | 'adminKey'> {
  readonly fieldLabel: (field: string) => string;
}

function errorFromResponse(content: unknown, { base, adminKey, fieldLabel: spoken }: ErrorContext): Error {
  const refused = errorSchema.safeParse(content);
  if (!refused.success) return notASim(base);
  const { errorCode, message, validationErrors = [] } = refused.data;
  if (errorCode === 'InternalError') return new Error(`The simulator at ${base} failed: ${message}`);
  if (errorCode === 'Unauthorized') {
    const wish = adminKey === undefined ? 'a key: give it' : 'another key than the one given: name it';
    return new InputError(`The simulator at ${base} asks for ${wish} with --admin-key.`);
  }
  const diagnostics = validationErrors.map(({ field, errorDescription }) =>
    `${field === '' ? '' : spoken(field)} ${errorDescription}`.trim(),
  );
  return new InputError(diagnostics.length > 0 ? diagnostics.join('\n') : message);
}

/** Lets commands talk to a running simulator over its control API. */
import type { IncomingMessage, RequestOptions } from 'node:http';
import * as z from '../../core/validation/deferred-zod.ts';
import { simFromEnvironment } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { timeLimit } from '../../core/lib/limited-fetch.ts';

/** Holds the flags that all these commands have. */
export interface RemoteFlags {
  readonly url?: string | undefined;
  readonly adminKey?: string | undefined;
  readonly tenant?: string | undefined;
  readonly json?: boolean | undefined;
  readonly showPersonalData?: boolean | undefined;
}

interface AdminCall<Schema extends z.ZodType> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Describes the fields of the response that the command reads. */
  readonly responseSchema: Schema;
  /** Returns the flag that a field of the body was typed as (default: its own name). */
  readonly fieldLabel?: (field: string) => string;
  readonly signal?: AbortSignal;
  /** Limits how long the whole response may take, in ms (default: nothing does). */
  readonly timeout?: number;
}

/** Sends a request to `/__admin` and the path, and returns the response. Throws `NoSimError` or `InputError`. */
export type AdminClient = <Schema extends z.ZodType>(
  path: string,
  call: AdminCall<Schema>,
) => Promise<z.output<Schema>>;

/** Means that no simulator is at the address. */
class NoSimError extends Error {
  override readonly name = 'NoSimError';
}

/** Holds the default address of a simulator. */
export const defaultSimUrl = 'http://127.0.0.1:4010';

const errorSchema = z.object({
  errorCode: z.string(),
  message: z.string(),
  validationErrors: z.array(z.object({ field: z.string(), errorDescription: z.string() })).optional(),
});

export function adminClient(flags: RemoteFlags): AdminClient {
  const { base: url, tenant, adminKey } = resolveTarget(flags);
  // As it may be shown.
  const base = url.replace(/\/\/[^/@]*@/, '//');
  const callOnce: AdminClient = async (path, call) => {
    const { method = 'GET', query = {}, body, responseSchema, fieldLabel = asSent, signal } = call;
    const given = Object.entries({ tenant, ...query }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given as [string, string][]);
    const response = await send(`${url}/__admin${path}${search.size > 0 ? `?${search}` : ''}`, base, {
      method,
      headers: {
        'user-agent': 'loyalty-sim',
        ...(adminKey !== undefined && { 'x-sim-admin-key': adminKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      throw new NoSimError(`The server at ${base} redirects to ${headers.location}: name that with --url.`);
    }
    const content = await contentOf(response, base);
    if (statusCode < 200 || statusCode > 299) throw errorFromResponse(content, { base, adminKey, fieldLabel });
    const parsed = responseSchema.safeParse(content);
    if (parsed.success) return parsed.data;
    throw notASim(base);
  };
  return async (path, { timeout, ...call }) => {
    if (timeout === undefined) return callOnce(path, call);
    const limit = timeLimit(timeout, call.signal ?? new AbortController().signal);
    try {
      return await callOnce(path, { ...call, signal: limit.signal });
    } catch (error) {
      if (limit.signal.reason?.name !== 'TimeoutError') throw error;
      throw new NoSimError(`The simulator at ${base} has not responded for ${timeout / 1000} s.`);
    } finally {
      limit.clear();
    }
  };
}

interface Target {
  readonly base: string;
  readonly tenant: string | undefined;
  readonly adminKey: string | undefined;
}

/** Resolves an address of the service, of one of its tenants, or of its control API. */
export function resolveTarget(flags: RemoteFlags): Target {
  const known = simFromEnvironment();
  const url = flags.url ?? known.url ?? defaultSimUrl;
  const [, base, tenant] = /^(https?:\/\/[^/?#\s]+)(?:\/t\/([^/?#]+))?(?:\/__admin)?\/?$/i.exec(url) ?? [];
  if (base === undefined || !URL.canParse(base)) {
    const source = flags.url === undefined ? 'LOYALTY_SIM_URL or LOYALTY_SIM_ADMIN_URL' : '--url';
    throw new InputError(`${source}: must be the address of a simulator, such as ${defaultSimUrl}, not "${url}"`);
  }
  return { base, tenant: flags.tenant ?? tenant, adminKey: flags.adminKey ?? known.adminKey };
}

interface Sent extends RequestOptions {
  readonly body?: string;
}

/** Limits how long a connection may take, in ms. */
const connectTimeout = 10_000;

/** Sends by `node:http`: until it has read its first response, fetch takes longer than the rest of a command. */
async function send(url: string, base: string, { body, ...options }: Sent): Promise<IncomingMessage> {
  const { request } = /^https:/i.test(base) ? await import('node:https') : await import('node:http');
  try {
    return await new Promise((resolve, reject) => {
      // A connection of its own: one that was kept may be closed by the time it is needed again.
      const sent = request(url, { ...options, agent: false, timeout: connectTimeout });
      sent.on('socket', (socket) => void socket.once('connect', () => void sent.setTimeout(0)));
      sent.on('timeout', () => void sent.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' })));
      sent.on('response', resolve);
      sent.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(notASim(base));
      });
      // An error may come after the response too: who reads that hears of it.
      sent.on('error', reject);
      sent.end(body);
    });
  } catch (error) {
    if (options.signal?.aborted || error instanceof NoSimError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_INVALID_CHAR') throw new InputError('--admin-key: must be text that a header can hold');
    const why = code === undefined ? '' : ` (${code})`;
    throw new NoSimError(
      `No simulator responds at ${base}${why}. Start one with "loyalty-sim start", or name another with --url.`,
    );
  }
}

async function contentOf(response: IncomingMessage, base: string): Promise<unknown> {
  try {
    return JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'));
  } catch {
    throw notASim(base);
  }
}

const notASim = (base: string): NoSimError =>
  new NoSimError(`The server at ${base} is not a simulator, or has another version; name another with --url.`);

const asSent = (field: string): string => field;

/** Returns the flag of a field: `--contact-id` for `contactId`. */
export const flagForField = (field: string): string =>
  `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

interface ErrorContext extends Pick<Target, 'base' | 'adminKey'> {
  readonly fieldLabel: (field: string) => string;
}

function errorFromResponse(content: unknown, { base, adminKey, fieldLabel }: ErrorContext): Error {
  const parsed = errorSchema.safeParse(content);
  if (!parsed.success) return notASim(base);
  const { errorCode, message, validationErrors = [] } = parsed.data;
  if (errorCode === 'InternalError') return new Error(`The simulator at ${base} failed: ${message}`);
  if (errorCode === 'Unauthorized') {
    const reason = adminKey === undefined ? 'requires a key' : 'rejected the key';
    return new InputError(`The simulator at ${base} ${reason}: set it with --admin-key.`);
  }
  const diagnostics = validationErrors.map(({ field, errorDescription }) =>
    field === '' ? errorDescription : `${fieldLabel(field)}: ${errorDescription}`,
  );
  return new InputError(diagnostics.length > 0 ? diagnostics.join('\n') : message);
}

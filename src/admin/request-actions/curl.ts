/** Writes a request of the journal as a curl line. */
import * as z from '../../core/validation/deferred-zod.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { isSecretName, redactedText } from '../../core/exchange/redaction.ts';
import { curlLine, isPastable } from '../../core/lib/shell-words.ts';
import type { Shell } from '../../core/lib/shell-words.ts';
import { tenantPrefix } from '../../core/tenant/registry.ts';
import { adminEndpoint, tenantQuery } from '../input/admin-context.ts';
import { findExchange } from '../input/past-request.ts';
import { ownOfEach } from './replay.ts';

const lineSchema = z.string().nullable();

export const curlSchema = z
  .strictObject({
    posix: lineSchema.describe('For bash, zsh and sh'),
    powershell: lineSchema,
    cmd: lineSchema.describe('For cmd.exe'),
  })
  .describe(
    'Lines to paste; null where the body is longer than an argument may be, where one would end within the body, at a line break or another control character, or send the value of a variable of Windows in place of its name',
  );

const jsonEscape = (character: string): string =>
  String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns a body on one line, which every shell takes; a text that is no JSON as it is. The shells of Windows put
 * variables in the place of `%name%`, in quotes as well, and its programs may read letters by another code page: there,
 * JSON says percent signs and letters beyond ASCII by their numbers.
 */
function bodyOf({ request }: Exchange, shell: Shell): string | undefined {
  const { body } = request;
  if (body === undefined || body === '') return undefined;
  const json = parseJsonBody(body);
  if (typeof json !== 'object') return body;
  const text = JSON.stringify(json);
  return shell === 'posix' ? text : text.replaceAll(/[%\u0080-\uffff]/g, jsonEscape);
}

/** Limits an argument of a command on Linux, in bytes; other systems take less. */
const maxArgument = 128 * 1024;

/** Returns the arguments of curl; `<key>` stands for a key that the journal does not keep. */
function argumentsOf(exchange: Exchange, { baseUrl, shell }: { baseUrl: string; shell: Shell }): string[] {
  const { method, path, query, request } = exchange;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ownOfEach.has(name) && !['accept', 'accept-encoding', 'user-agent'].includes(name))
    .map(([name, value]) => `${name}: ${isSecretName(name) ? value.replace(redactedText, '<key>') : value}`);
  const body = bodyOf(exchange, shell);
  return [
    ...(method === 'GET' ? [] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', header]),
    ...(body === undefined ? [] : ['--data-raw', body]),
    `${baseUrl}${path}${query === '' ? '' : `?${query}`}`,
  ];
}

export const curlEndpoints = [
  adminEndpoint({
    id: 'getCurl',
    method: 'GET',
    path: '/__admin/requests/{id}/curl',
    tag: 'Control: requests',
    summary: 'Writes a request of the journal as a curl line, quoted for each shell',
    query: tenantQuery,
    responses: { 200: curlSchema },
    errors: ['NotFound'],
    retry: 'safe',
    examples: [{ params: { id: 'default-0' }, status: 404 }],
    handle: ({ tenant, serverUrl }, { params: { id = '' } }) => {
      const exchange = findExchange(tenant, id);
      const baseUrl = `${serverUrl}${tenantPrefix(tenant.name)}`;
      const lineFor = (shell: Shell): string | null => {
        if ((exchange.request.body?.length ?? 0) >= maxArgument) return null;
        const words = argumentsOf(exchange, { baseUrl, shell });
        return words.every((word) => isPastable(word, shell)) ? curlLine(words, shell) : null;
      };
      return apiResponse(200, { posix: lineFor('posix'), powershell: lineFor('powershell'), cmd: lineFor('cmd') });
    },
  }),
];

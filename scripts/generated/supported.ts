import type { Endpoint } from '../../src/core/exchange/endpoint.ts';
import { assumptions } from '../../src/service/assumptions/catalog.ts';
import type { Assumption } from '../../src/service/assumptions/catalog.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { errorCatalog } from '../../src/service/errors/catalog.ts';
import { endpointAdditions, endpointsCalled } from '../../test/conformance/divergences.ts';
import { codeOf, servedBy } from '../../test/conformance/matching.ts';
import { endpoints as rows } from '../../test/conformance/spec/endpoints.ts';
import { errors } from '../../test/conformance/spec/errors.ts';
import { limits } from '../../test/conformance/spec/limits.ts';
import { list } from './page.ts';
import { assumptionLink, code, note, table } from './table.ts';

const notYet = 'not yet';
const catalogue: Readonly<Record<string, { readonly status: number }>> = errorCatalog;

const retryWords: Readonly<Record<Endpoint['retry'], string>> = {
  safe: 'safe',
  idempotent: 'safe with the same body',
  keyed: 'safe with the same key',
  unkeyed: 'read back first',
  once: '"already done" means success',
};

const introduction = (): string => {
  const served = rows.filter((row) => servedBy(row)).length;
  return `# What is supported

loyalty-sim serves ${served} of the ${rows.length} endpoints of the specification. It calls one more, which the point master serves.
Every endpoint can also respond with the errors that are common to all: 400 \`InvalidJson\`, \`InvalidContentType\`, \`ValidationError\` · 401 \`Unauthorized\` ·
403 \`Forbidden\` · 404 \`EndpointNotFound\` · 405 \`MethodNotAllowed\` · 413 \`PayloadTooLarge\` · 415 \`UnsupportedContentEncoding\` · 429 \`TooManyRequests\`.

A request body may be compressed: \`Content-Encoding\` \`gzip\`, \`deflate\` or \`br\`. The limit of 16 MB applies to the body as sent and to the decompressed body.
The journal shows the decompressed body, and says how it was compressed. The specification does not mention compression; ask the operators of your live service
before you rely on it.

A body may hold 400,000 values (each list and object counts too, an empty one twice), an object 10,000 fields, a name 1,000 characters, a text 1,000,000, and each list of a receipt 5,000 items. That is more than any client
sends, and so little that nobody else waits for it.`;
};

const refusalsOf = ({ errors: codes = [] }: Endpoint): string =>
  codes.map((name) => `${catalogue[name]?.status} ${code(name)}`).join(', ') || 'only the common ones';

const pathsOf = ({ method, path, aliases = [] }: Endpoint): string =>
  [path, ...aliases].map((served) => code(`${method} ${served}`)).join(' and ');

/** Returns what there is to know of an endpoint, under its name. */
function entry(endpoint: Endpoint): string {
  const { id, responses: answers, retry, assumptions: ids = [] } = endpoint;
  return [
    `**${pathsOf(endpoint)}**: ${code(id)}`,
    list([
      `responds with ${Object.keys(answers).join(', ')}`,
      `errors: ${refusalsOf(endpoint)}`,
      `a repeat after a lost response: ${retryWords[retry]}`,
      ...(endpoint.deprecated ? ['deprecated in v3: each call is warned about'] : []),
      ...(ids.length > 0 ? [`always rests on ${ids.map(assumptionLink).join(', ')}`] : []),
    ]),
  ].join('\n\n');
}

function specified(row: (typeof rows)[number]): string {
  if (endpointsCalled.includes(row.id)) return `**${code(`${row.method} ${row.path}`)}**: called, for the contact card`;
  const endpoint = servedBy(row);
  return endpoint ? entry(endpoint) : `**${code(`${row.method} ${row.path}`)}**: ${notYet}`;
}

/** Shows at a glance what may be repeated. */
function overview(): string {
  const shown = rows
    .flatMap((row) => servedBy(row) ?? [])
    .map(({ method, path, retry }) => [code(`${method} ${path}`), retryWords[retry]]);
  return table(['Endpoint', 'A repeat after a lost response'], shown);
}

const repeatLegend = `- _safe with the same body_: it changes nothing, unless something newer came in between
- _safe with the same key_: with the same \`uniqueReceiptId\` or \`transactionId\`
- _read back first_: a repeat adds again; points in bulk may be repeated with the same \`Idempotency-Key\` instead
- _"already done" means success_: a promotion is redeemed once`;

function endpointSection(section: string): string {
  const shown = rows.filter((row) => row.section === section).map(specified);
  return [`### ${section}`, ...new Set(shown)].join('\n\n');
}

function additions(): string {
  const added = endpoints.filter(({ id }) => id in endpointAdditions);
  const shown = added.map((endpoint) => `${entry(endpoint)}\n- why: ${endpointAdditions[endpoint.id]?.why ?? ''}`);
  return ['### Beyond the specification', ...shown].join('\n\n');
}

function errorList(): string {
  const shown = errors.map(({ statuses, names, condition }) => {
    const codes = names.filter((name) => codeOf(name) in catalogue).map((name) => code(codeOf(name)));
    const missing = names.filter((name) => !(codeOf(name) in catalogue));
    const said = [...codes, ...missing.map((name) => `${name}: ${notYet}`)].join(' or ');
    // A server failure has no name in the specification: an injected one is named by its status.
    if (names.length === 0) return `500 \`InternalError\`, 504 \`GatewayTimeout\`: ${condition}`;
    const inSpecification = ` (in the specification: ${names.join(', ')})`;
    return `${statuses.join(', ')} ${said}: ${condition}${inSpecification}`;
  });
  return `## Errors\n\n${list(shown)}`;
}

function limitTable(): string {
  const served = new Set(rows.filter((row) => servedBy(row)).map(({ method, path }) => `${method} ${path}`));
  const shown = limits.map(({ limit, appliesTo, value }) => {
    const isServed = served.has(appliesTo.replace(' /', ' /api/v3/'));
    return [limit, code(appliesTo), value, isServed ? 'enforced' : notYet];
  });
  return `## Limits\n\n${table(['Limit', 'Applies to', 'Value', 'In loyalty-sim'], shown)}`;
}

function assumptionList(): string {
  const registry: readonly Assumption[] = assumptions;
  const shown = registry.map(({ id, topic, variants }) => {
    const others = Object.keys(variants).map(code).join(', ');
    return others === '' ? `${assumptionLink(id)} ${topic}` : `${assumptionLink(id)} ${topic}; else ${others}`;
  });
  return `## Assumptions\n\nResponses can rest on these assumptions. The names after "else" are other variants:\n\n${list(shown)}`;
}

const notSimulated = `## What is not simulated

${list([
  'segments, automations and send-outs; [trigger](commands.md#trigger) does what they would do to points, promotions and challenges',
  'endpoints of the live service that the specification does not name; the journal lists requests to them as unmatched, and a rule can [respond in their place](faults.md#stub-a-path-that-is-not-served)',
])}`;

/** Returns docs/supported.md. */
export const supportedPage = (): string =>
  [
    note,
    introduction(),
    '## What may be repeated',
    overview(),
    repeatLegend,
    '## Endpoints',
    'A response can rest on more assumptions than those on which it always does: the journal names them for each request.',
    ...new Set(rows.map(({ section }) => endpointSection(section))),
    additions(),
    errorList(),
    limitTable(),
    notSimulated,
    assumptionList(),
  ].join('\n\n') + '\n';

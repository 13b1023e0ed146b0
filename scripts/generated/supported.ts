import type { Endpoint } from '../../src/core/endpoint.ts';
import { assumptions } from '../../src/resources/assumptions.ts';
import type { Assumption } from '../../src/resources/assumptions.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { refusals } from '../../src/resources/refusals.ts';
import { endpointAdditions, endpointsCalled } from '../../test/conformance/divergences.ts';
import { codeOf, servedBy } from '../../test/conformance/matching.ts';
import { endpoints as rows } from '../../test/conformance/spec/endpoints.ts';
import { errors } from '../../test/conformance/spec/errors.ts';
import { limits } from '../../test/conformance/spec/limits.ts';
import { assumptionLink, code, note, table } from './table.ts';

const nothing = '–';
const notYet = 'not yet';
const catalogue: Readonly<Record<string, { readonly status: number }>> = refusals;

const retryWords: Readonly<Record<Endpoint['retry'], string>> = {
  read: 'free',
  idempotent: 'free with the same body',
  keyed: 'free with the same key',
  unkeyed: 'look first',
  flip: '"already done" means success',
};

const introduction = (): string => {
  const served = rows.filter((row) => servedBy(row)).length;
  return `# What is supported

Of the ${rows.length} endpoints of the specification, ${served} are served, and ${endpointsCalled.length} is called: that of the point master.
Every endpoint may also refuse with what the pipeline checks for all of them: 400 \`InvalidJson\`, \`InvalidContentType\`, \`ValidationError\` · 401 \`Unauthorized\` ·
403 \`Forbidden\` · 404 \`EndpointNotFound\` · 405 \`MethodNotAllowed\` · 413 \`PayloadTooLarge\` · 429 \`TooManyRequests\`.`;
};

const refusalsOf = ({ refusals: codes = [] }: Endpoint): string =>
  codes.map((name) => `${catalogue[name]?.status} ${code(name)}`).join('<br>') || nothing;

const assumptionsOf = ({ assumptions: ids = [] }: Endpoint): string => ids.map(assumptionLink).join(' ') || nothing;

const statusesOf = ({ answers }: Endpoint): string => Object.keys(answers).join(', ');

const described = (endpoint: Endpoint): string[] => [
  statusesOf(endpoint),
  refusalsOf(endpoint),
  endpoint.retry === 'unkeyed' && !endpoint.lookups ? 'nothing to look it up by' : retryWords[endpoint.retry],
  assumptionsOf(endpoint),
];

const pathsOf = ({ method, path, aliases = [] }: Endpoint): string =>
  [path, ...aliases].map((served) => code(`${method} ${served}`)).join('<br>');

function specifiedRow(row: (typeof rows)[number]): string[] {
  const endpoint = servedBy(row);
  const rest = [nothing, nothing, nothing, nothing];
  if (endpointsCalled.includes(row.id))
    return [code(`${row.method} ${row.path}`), 'called, for the contact card', ...rest];
  if (!endpoint) return [code(`${row.method} ${row.path}`), notYet, ...rest];
  return [pathsOf(endpoint), endpoint.id, ...described(endpoint)];
}

const endpointColumns = ['Endpoint', 'Served as', 'Answers', 'Refuses with', 'After a lost answer', 'Rests on'];

function endpointSection(section: string): string {
  const shown = rows.filter((row) => row.section === section).map((row) => specifiedRow(row));
  return `### ${section}\n\n${table(endpointColumns, shown)}`;
}

function additions(): string {
  const added = endpoints.filter(({ id }) => id in endpointAdditions);
  const shown = added.map((endpoint) => {
    const why = endpointAdditions[endpoint.id]?.why ?? '';
    return [pathsOf(endpoint), endpoint.id, why].concat(described(endpoint));
  });
  const columns = ['Endpoint', 'Served as', 'Why', ...endpointColumns.slice(2)];
  return `### Beyond the specification\n\n${table(columns, shown)}`;
}

function errorTable(): string {
  const shown = errors.map(({ statuses, names, condition }) => {
    const codes = names.filter((name) => codeOf(name) in catalogue).map((name) => code(codeOf(name)));
    const missing = names.filter((name) => !(codeOf(name) in catalogue));
    const said = [...codes, ...missing.map((name) => `${name}: ${notYet}`)].join('<br>');
    return [statuses.join(', '), names.join(', ') || nothing, condition, said || code('InternalError')];
  });
  return `## Errors\n\n${table(['Status', 'Name in the specification', 'Condition', 'Our errorCode'], shown)}`;
}

function limitTable(): string {
  const served = new Set(rows.filter((row) => servedBy(row)).map(({ method, path }) => `${method} ${path}`));
  const shown = limits.map(({ limit, appliesTo, value }) => {
    const isServed = served.has(appliesTo.replace(' /', ' /api/v3/'));
    return [limit, code(appliesTo), value, isServed ? 'kept' : notYet];
  });
  return `## Limits\n\n${table(['Limit', 'Applies to', 'Value', ''], shown)}`;
}

function assumptionTable(): string {
  const registry: readonly Assumption[] = assumptions;
  const shown = registry.map(({ id, topic, default: reading, variants }) => [
    assumptionLink(id),
    topic,
    reading,
    Object.keys(variants).map(code).join(', ') || nothing,
  ]);
  return `## Assumptions\n\n${table(['', 'Open point', 'Our reading', 'Variants'], shown)}`;
}

/** docs/supported.md */
export const supportedPage = (): string =>
  [
    note,
    introduction(),
    '## Endpoints',
    ...new Set(rows.map(({ section }) => endpointSection(section))),
    additions(),
    errorTable(),
    limitTable(),
    assumptionTable(),
  ].join('\n\n') + '\n';

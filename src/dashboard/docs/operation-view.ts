/** Shows one operation: how to call it with curl, its parameters and body, its responses and errors. */
import { fillPathTemplate } from '../../core/exchange/path-template.ts';
import { h } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import type {
  LocatedOperation,
  Method,
  NamedSchemas,
  OpenApiSpec,
  OperationSpec,
  Parameter,
  RequestExample,
  ResponseSpec,
} from './openapi-types.ts';
import { lastSegment, prose, schemaView, typeLabel } from './schema-view.ts';

const heading = (text: string): HTMLElement => h('h3', {}, text);

function table(names: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  const head = h(
    'tr',
    {},
    names.map((name) => h('th', { scope: 'col' }, name)),
  );
  return h('div', { class: 'table' }, h('table', {}, h('thead', {}, head), h('tbody', {}, rows)));
}

const parameterRow = (parameter: Parameter, named: NamedSchemas): HTMLElement =>
  h(
    'tr',
    {},
    h(
      'td',
      {},
      h('code', {}, parameter.name),
      parameter.required === true && h('span', { class: 'required' }, ' required'),
    ),
    h('td', {}, parameter.in),
    h('td', {}, typeLabel(parameter.schema, named)),
    h(
      'td',
      {},
      prose(parameter.description ?? ''),
      'default' in parameter.schema && ` Default ${JSON.stringify(parameter.schema.default)}.`,
    ),
  );

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curlOf(method: Method, path: string, { params = {}, query, body }: RequestExample): string {
  const filled = fillPathTemplate(path, (name) => params[name] ?? `{${name}}`);
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  const lines = [`curl ${verb}${quoted(location.origin + filled + search)}`];
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

function exampleView(method: Method, path: string, example: RequestExample): Child {
  const line = curlOf(method, path, example);
  const copy = h('button', { type: 'button', 'aria-label': 'Copy this curl line' }, 'Copy');
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(line).then(() => {
      copy.textContent = 'Copied';
      setTimeout(() => (copy.textContent = 'Copy'), 1500);
    });
  });
  return [
    h('div', { class: 'example' }, h('pre', { tabindex: '0' }, line), copy),
    h('p', { class: 'type' }, `responds with ${example.status}`),
  ];
}

/** Returns the responses of an operation by status, with shared ones in place of references. */
function responsesOf({ responses }: OperationSpec, shared: OpenApiSpec['components']['responses'] = {}) {
  return Object.entries(responses).map(([status, response]): readonly [string, ResponseSpec] => [
    status,
    response.$ref === undefined ? response : (shared[lastSegment(response.$ref)] ?? response),
  ]);
}

type Responses = ReturnType<typeof responsesOf>;

const isError = (response: ResponseSpec): boolean => response['x-errors'] !== undefined;

const responseViews = (responses: Responses, named: NamedSchemas): Child =>
  responses
    .filter(([, response]) => !isError(response))
    .map(([status, { content = {} }]) => {
      const [body] = Object.values(content);
      return [heading(`Response ${status}`), body && schemaView(body.schema, named, 'output')];
    });

/** Shows each error code of a status; the description has a paragraph for each: "`Code`: message". */
function errorTable(responses: Responses): Child {
  const rows = responses
    .filter(([, response]) => isError(response))
    .flatMap(([status, { description }]) =>
      description.split('\n\n').map((paragraph) => {
        const [, code = '', message = paragraph] = /^.(\w+).: (.*)$/s.exec(paragraph) ?? [];
        return h('tr', {}, h('td', {}, status), h('td', {}, h('code', {}, code)), h('td', {}, message));
      }),
    );
  return [heading('Errors'), table(['Status', 'Code', 'Message'], rows)];
}

const assumptionLinks = (ids: readonly string[]): Child =>
  ids.length > 0 && [
    heading('Assumptions'),
    h(
      'p',
      {},
      ids.map((id) => [h('a', { href: `#${id}` }, id), ' ']),
    ),
  ];

function bodyView({ requestBody }: OperationSpec, named: NamedSchemas): Child {
  const schema = requestBody?.content['application/json']?.schema;
  if (!requestBody || !schema) return null;
  return [heading(requestBody.required === true ? 'Body' : 'Body (optional)'), schemaView(schema, named, 'input')];
}

function detailsView({ components }: OpenApiSpec, { method, path, operation }: LocatedOperation): HTMLElement {
  const { parameters = [], description = '' } = operation;
  const examples = operation['x-examples'] ?? [];
  const responses = responsesOf(operation, components.responses);
  return h(
    'div',
    { class: 'inside' },
    h('p', {}, prose(description)),
    examples.length > 0 && [heading('Try it'), examples.map((example) => exampleView(method, path, example))],
    parameters.length > 0 && [
      heading('Parameters'),
      table(
        ['Name', 'In', 'Type', ''],
        parameters.map((parameter) => parameterRow(parameter, components.schemas)),
      ),
    ],
    bodyView(operation, components.schemas),
    responseViews(responses, components.schemas),
    errorTable(responses),
    assumptionLinks(operation['x-assumptions'] ?? []),
  );
}

/** Shows one operation on a line; its details are made when it is first opened. */
export function operationView(spec: OpenApiSpec, located: LocatedOperation): HTMLDetailsElement {
  const { method, path, operation } = located;
  const element = h(
    'details',
    { class: 'operation', id: operation.operationId },
    h(
      'summary',
      {},
      h('span', { class: `method ${method}` }, method.toUpperCase()),
      h('span', { class: operation.deprecated === true ? 'path deprecated' : 'path' }, path),
      h('span', { class: 'title' }, operation.summary),
    ),
  );
  element.addEventListener('toggle', () => {
    if (element.children.length === 1) element.append(detailsView(spec, located));
  });
  return element;
}

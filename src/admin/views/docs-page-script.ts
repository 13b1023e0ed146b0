/** What the documentation page does: fetches the document and shows it. Every text goes in as text, never as HTML. */
export const docsScript = String.raw`
'use strict';
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const page = {
  count: document.getElementById('count'),
  filter: document.getElementById('filter'),
  index: document.getElementById('index'),
  main: document.getElementById('main'),
};

/** Makes an element; strings among its children become text, with code between backticks. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  for (const child of children.flat()) {
    if (typeof child === 'string') element.append(...spoken(child));
    else if (child) element.append(child);
  }
  return element;
}

const spoken = (text) => text.split('\x60').map((part, i) => {
  if (i % 2 === 0) return document.createTextNode(part);
  const code = document.createElement('code');
  code.textContent = part;
  return code;
});

function plain(name, attributes, text) {
  const element = make(name, attributes);
  element.textContent = text;
  return element;
}

const heading = (text) => plain('h3', {}, text);

function resolve(schema, all) {
  if (!schema || !schema.$ref) return schema || {};
  const name = schema.$ref.split('/').pop();
  return Object.assign({ called: name }, all[name]);
}

function typeOf(sent, all) {
  const schema = resolve(sent, all);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const options = schema.anyOf || schema.oneOf;
  if (options) return [...new Set(options.map((option) => typeOf(option, all)))].join(' or ');
  if (schema.type === 'array') return 'list of ' + typeOf(schema.items, all);
  const types = [].concat(schema.type || 'any').join(' or ');
  const bounds = [['minimum', '≥'], ['exclusiveMinimum', '>'], ['maximum', '≤'], ['minLength', 'length ≥'], ['maxLength', 'length ≤']]
    .filter(([key]) => key in schema).map(([key, sign]) => sign + ' ' + schema[key]);
  const format = schema.format ? [schema.format] : [];
  const more = [...format, ...bounds];
  return (schema.called || types) + (more.length > 0 ? ' (' + more.join(', ') + ')' : '');
}

/** The fields of a schema, one a line, those of its objects and lists beneath; an answer's are marked where they may be missing. */
function fieldsOf(sent, all, side, above = []) {
  const schema = resolve(sent, all);
  if (schema.called && above.includes(schema.called)) return [];
  const seen = schema.called ? [...above, schema.called] : above;
  if (schema.type === 'array') return fieldsOf(schema.items, all, side, seen);
  const options = (schema.anyOf || schema.oneOf || []).filter((option) => option.type !== 'null');
  if (options.length === 1) return fieldsOf(options[0], all, side, seen);
  if (options.length > 1) {
    const inner = options.map((option) => fieldsOf(option, all, side, seen));
    if (inner.every((fields) => fields.length === 0)) return [];
    return options.map((option, i) => make('li', {},
      plain('span', { class: 'type' }, (i === 0 ? 'either ' : 'or ') + typeOf(option, all)),
      inner[i].length > 0 ? make('ul', { class: 'schema' }, inner[i]) : null));
  }
  return Object.entries(schema.properties || {}).map(([name, field]) => {
    const inner = fieldsOf(field, all, side, seen);
    const isRequired = (schema.required || []).includes(name);
    const description = resolve(field, all).description;
    return make('li', {},
      plain('code', {}, name), ' ', plain('span', { class: 'type' }, typeOf(field, all)),
      side === 'input' && isRequired ? plain('span', { class: 'required' }, ' required') : null,
      side === 'output' && !isRequired ? plain('span', { class: 'type' }, ', may be missing') : null,
      description ? ' ' + description : null,
      inner.length > 0 ? make('ul', { class: 'schema' }, inner) : null);
  });
}

function showSchema(schema, all, side) {
  const fields = fieldsOf(schema, all, side);
  return [
    make('p', {}, plain('span', { class: 'type' }, typeOf(schema, all))),
    fields.length > 0 ? make('ul', { class: 'schema' }, fields) : null,
  ];
}

function table(names, rows) {
  const head = make('tr', {}, names.map((name) => plain('th', { scope: 'col' }, name)));
  return make('div', { class: 'table' }, make('table', {}, make('thead', {}, head), make('tbody', {}, rows)));
}

const parameterRows = (parameters, all) => parameters.map((parameter) => make('tr', {},
  make('td', {}, plain('code', {}, parameter.name), parameter.required ? plain('span', { class: 'required' }, ' required') : null),
  plain('td', {}, parameter.in),
  make('td', {}, plain('span', { class: 'type' }, typeOf(parameter.schema, all))),
  make('td', {}, parameter.description || '',
    'default' in parameter.schema ? ' Default ' + JSON.stringify(parameter.schema.default) + '.' : '')));

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

function curlOf(origin, method, path, { params = {}, query, body }) {
  const filled = path.replace(/\{(\w+)\}/g, (all, name) => encodeURIComponent(params[name] || all));
  const search = query ? '?' + new URLSearchParams(query) : '';
  const verb = method === 'get' ? '' : '-X ' + method.toUpperCase() + ' ';
  const lines = ['curl ' + verb + quoted(origin + filled + search)];
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", '-d ' + quoted(JSON.stringify(body)));
  return lines.join(' \\\n  ');
}

function showExample(origin, method, path, example) {
  const line = curlOf(origin, method, path, example);
  const button = plain('button', { type: 'button', 'aria-label': 'Copy this curl line' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(line);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return [
    make('div', { class: 'example' }, plain('pre', { tabindex: '0' }, line), button),
    plain('p', { class: 'type' }, 'answers ' + example.status),
  ];
}

/** The responses of an operation, shared ones in place. */
function responsesOf(operation, shared) {
  return Object.fromEntries(Object.entries(operation.responses).map(([status, response]) =>
    [status, response.$ref ? shared[response.$ref.split('/').pop()] : response]));
}

function answersOf(responses, all) {
  return Object.entries(responses).filter(([, response]) => !response['x-refusals']).flatMap(([status, response]) => [
    heading('Answer ' + status),
    ...showSchema(response.content && Object.values(response.content)[0].schema, all, 'output'),
  ]);
}

function refusalsOf(responses) {
  const refused = Object.entries(responses).filter(([, response]) => response['x-refusals']);
  const rows = refused.flatMap(([status, { description }]) => description.split('\n\n').map((line) => {
    const [, code, message] = /^.(\w+).: (.*)$/s.exec(line) || [];
    return make('tr', {}, plain('td', {}, status), make('td', {}, plain('code', {}, code || '')), plain('td', {}, message || line));
  }));
  return [heading('Refusals'), table(['Status', 'Code', 'Says'], rows)];
}

function assumptionLinks(ids) {
  if (ids.length === 0) return [];
  const links = ids.flatMap((id) => [plain('a', { href: '#' + id }, id), ' ']);
  return [heading('Rests on'), make('p', {}, links)];
}

function bodyOf(requestBody, all) {
  if (!requestBody) return [];
  return [heading(requestBody.required ? 'Body' : 'Body (optional)'), ...showSchema(requestBody.content['application/json'].schema, all, 'input')];
}

function showInside(spec, origin, { method, path, operation }) {
  const all = spec.components.schemas;
  const { parameters = [], description, requestBody } = operation;
  const responses = responsesOf(operation, spec.components.responses || {});
  const examples = (operation['x-examples'] || []).flatMap((example) => showExample(origin, method, path, example));
  return make('div', { class: 'inside' },
    plain('p', {}, description || ''),
    examples.length > 0 ? [heading('Try it'), ...examples] : null,
    parameters.length > 0 ? [heading('Parameters'), table(['Name', 'In', 'Type', ''], parameterRows(parameters, all))] : null,
    ...bodyOf(requestBody, all),
    ...answersOf(responses, all),
    ...refusalsOf(responses),
    ...assumptionLinks(operation['x-assumptions'] || []));
}

/** One operation; what is inside is made when it is first opened. */
function showOperation(spec, origin, found) {
  const { method, path, operation } = found;
  const details = make('details', { class: 'operation', id: operation.operationId },
    make('summary', {},
      plain('span', { class: 'method ' + method }, method.toUpperCase()),
      plain('span', { class: 'path' + (operation.deprecated ? ' deprecated' : '') }, path),
      plain('span', { class: 'title' }, operation.summary)));
  details.addEventListener('toggle', () => {
    if (details.children.length === 1) details.append(showInside(spec, origin, found));
  });
  found.element = details;
  return details;
}

function operationsOf(spec) {
  return Object.entries(spec.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ method, path, operation: item[method] })));
}

function showTag(spec, origin, tag, found) {
  const links = found.map((one) => {
    one.link = make('li', {}, plain('a', { href: '#' + one.operation.operationId }, one.operation.operationId));
    return one.link;
  });
  const head = plain('h2', {}, tag);
  const list = make('ul', {}, links);
  page.index.append(head, list);
  const section = make('section', { 'aria-label': tag }, plain('h2', {}, tag), found.map((one) => showOperation(spec, origin, one)));
  page.main.append(section);
  return { found, parts: [head, list, section] };
}

function showAssumptions(assumptions) {
  const shown = assumptions.map(({ id, topic, default: reading, variants, note }) => make('article', { class: 'assumption', id },
    make('h3', {}, id + ' ', topic),
    make('p', {}, reading),
    Object.keys(variants).length > 0
      ? make('ul', {}, Object.entries(variants).map(([name, text]) => make('li', {}, plain('code', {}, '--assume ' + id + '=' + name), ' ', text)))
      : null,
    note ? make('p', { class: 'type' }, note) : null));
  page.index.append(plain('h2', {}, 'Assumptions'), make('ul', {}, make('li', {}, plain('a', { href: '#assumptions' }, 'What the specification leaves open'))));
  page.main.append(make('section', { id: 'assumptions' }, plain('h2', {}, 'Assumptions'), shown));
}

/** Shows what holds every word of the filter, in its path, name, summary or tag. */
function filterBy(groups) {
  const words = page.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { found, parts } of groups) {
    for (const { method, path, operation, element, link } of found) {
      const text = [method, path, operation.operationId, operation.summary, ...operation.tags, ...(operation['x-assumptions'] || [])].join(' ').toLowerCase();
      const fits = words.every((word) => text.includes(word));
      element.hidden = link.hidden = !fits;
      if (fits) shown++;
    }
    for (const part of parts) part.hidden = found.every(({ element }) => element.hidden);
  }
  page.count.textContent = shown + (shown === 1 ? ' endpoint' : ' endpoints');
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) {
    page.filter.value = '';
    page.filter.dispatchEvent(new Event('input'));
  }
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
}

async function start() {
  const response = await fetch('/__admin/openapi.json');
  if (!response.ok) throw new Error('GET /__admin/openapi.json answered ' + response.status);
  const spec = await response.json();
  document.getElementById('version').textContent = spec.info.version;
  const operations = operationsOf(spec);
  const groups = spec.tags.map(({ name }) =>
    showTag(spec, location.origin, name, operations.filter(({ operation }) => operation.tags.includes(name))));
  showAssumptions(spec['x-assumptions'] || []);
  page.filter.addEventListener('input', () => filterBy(groups));
  addEventListener('hashchange', openTarget);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === page.filter) return;
    event.preventDefault();
    page.filter.focus();
  });
  filterBy(groups);
  openTarget();
}

start().catch((error) => {
  page.main.append(plain('p', { class: 'failed', role: 'alert' }, 'The document could not be shown: ' + error.message));
});
`;

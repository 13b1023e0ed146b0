/** Shows the page of the endpoints: fetches the OpenAPI document of the simulator, shows it and filters it. */
import { requestSim } from '../api/client.ts';
import { h } from '../ui/elements.ts';
import { methods } from './openapi-types.ts';
import type { AssumptionSpec, LocatedOperation, OpenApiSpec } from './openapi-types.ts';
import { operationView } from './operation-view.ts';
import { prose } from './schema-view.ts';

/** Finds a part of the page that is served with the script. */
function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`);
  return found;
}

const page = {
  version: part('version', HTMLElement),
  filter: part('filter', HTMLInputElement),
  count: part('count', HTMLElement),
  index: part('index', HTMLElement),
  main: part('main', HTMLElement),
};

interface ShownOperation {
  /** Holds everything that the filter searches, in lower case. */
  readonly text: string;
  readonly element: HTMLElement;
  readonly link: HTMLElement;
}

interface Group {
  readonly operations: readonly ShownOperation[];
  /** Lists headings and lists that are hidden when no operation of the group is left. */
  readonly parts: readonly HTMLElement[];
}

const operationsOf = ({ paths }: OpenApiSpec): LocatedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );

function showOperation(spec: OpenApiSpec, located: LocatedOperation): ShownOperation {
  const { method, path, operation } = located;
  const { operationId: id, summary, tags } = operation;
  const text = [method, path, id, summary, ...tags, ...(operation['x-assumptions'] ?? [])].join(' ').toLowerCase();
  return { text, element: operationView(spec, located), link: h('li', {}, h('a', { href: `#${id}` }, id)) };
}

function showGroup(spec: OpenApiSpec, tag: string, located: readonly LocatedOperation[]): Group {
  const operations = located.map((one) => showOperation(spec, one));
  const head = h('h2', {}, tag);
  const list = h(
    'ul',
    {},
    operations.map(({ link }) => link),
  );
  const section = h(
    'section',
    { 'aria-label': tag },
    h('h2', {}, tag),
    operations.map(({ element }) => element),
  );
  page.index.append(head, list);
  page.main.append(section);
  return { operations, parts: [head, list, section] };
}

function assumptionArticle({ id, topic, default: reading, variants, note }: AssumptionSpec): HTMLElement {
  const flags = Object.entries(variants).map(([name, text]) =>
    h('li', {}, h('code', {}, `--assume ${id}=${name}`), ' ', prose(text)),
  );
  return h(
    'article',
    { class: 'assumption', id },
    h('h3', {}, `${id} `, prose(topic)),
    h('p', {}, prose(reading)),
    flags.length > 0 && h('ul', {}, flags),
    note !== undefined && h('p', { class: 'type' }, prose(note)),
  );
}

function showAssumptions(assumptions: readonly AssumptionSpec[]): void {
  const link = h('a', { href: '#assumptions' }, 'What the specification leaves open');
  page.index.append(h('h2', {}, 'Assumptions'), h('ul', {}, h('li', {}, link)));
  page.main.append(h('section', { id: 'assumptions' }, h('h2', {}, 'Assumptions'), assumptions.map(assumptionArticle)));
}

/** Shows the operations that hold every word of the filter in their path, name, summary, tag or assumptions. */
function filterBy(groups: readonly Group[]): void {
  const words = page.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { operations, parts } of groups) {
    for (const { text, element, link } of operations) {
      const matches = words.every((word) => text.includes(word));
      element.hidden = !matches;
      link.hidden = !matches;
      if (matches) shown++;
    }
    for (const one of parts) one.hidden = operations.every(({ element }) => element.hidden);
  }
  page.count.textContent = `${shown} ${shown === 1 ? 'endpoint' : 'endpoints'}`;
}

/** Opens what the address names, and clears a filter that hides it. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) {
    page.filter.value = '';
    page.filter.dispatchEvent(new Event('input'));
  }
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.scrollIntoView();
}

function focusFilterOnSlash(event: KeyboardEvent): void {
  if (event.key !== '/' || event.target === page.filter) return;
  event.preventDefault();
  page.filter.focus();
}

async function start(): Promise<void> {
  const spec = await requestSim<OpenApiSpec>('GET', '/openapi.json');
  page.version.textContent = spec.info.version;
  const located = operationsOf(spec);
  const groups = spec.tags.map(({ name }) =>
    showGroup(
      spec,
      name,
      located.filter(({ operation }) => operation.tags.includes(name)),
    ),
  );
  showAssumptions(spec['x-assumptions'] ?? []);
  page.filter.addEventListener('input', () => filterBy(groups));
  addEventListener('hashchange', openTarget);
  addEventListener('keydown', focusFilterOnSlash);
  filterBy(groups);
  openTarget();
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  page.main.append(h('p', { class: 'failed', role: 'alert' }, `The document could not be shown: ${message}`));
});

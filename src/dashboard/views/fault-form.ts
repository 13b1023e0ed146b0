/** Shows a form for one fault: which requests, what goes wrong, and how often. */
import { button, field, form, h, replaceContent, select, fieldText } from '../ui/elements.ts';
import { download, savedFile } from '../ui/download.ts';
import { requestSim, requestTenant } from '../api/client.ts';
import type { ActiveRuleJson, FaultKindJson, ScenarioFileJson } from '../api/api-types.ts';

type FaultChoice = FaultKindJson['choices'][number];

/** Holds what the form offers to go wrong, by the value of its option; read once. */
const choices = new Map<string, FaultChoice>();

/** Returns what may go wrong. */
export async function readFaultChoices(): Promise<readonly FaultChoice[]> {
  await readChoices();
  return [...choices.values()];
}

async function readChoices(): Promise<void> {
  if (choices.size > 0) return;
  const { kinds } = await requestSim<{ kinds: FaultKindJson[] }>('GET', '/fault-kinds');
  for (const choice of kinds.flatMap((kind) => kind.choices)) choices.set(choice.value, choice);
}

export const phases = [
  ['after', 'after the commit: the work is done'],
  ['before', 'before the work: nothing is done'],
] as const;

const methods = ['any', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface OpenApiOperation {
  readonly operationId: string;
}

type EndpointOption = readonly [id: string, label: string];

let endpoints: readonly EndpointOption[] | undefined;

/** Names what people try first, as the form offers it until it has read the rest. */
const usualEndpoint: EndpointOption = ['createReceipt', 'create receipt: POST /api/v3/receipts'];
const usualKind = ['500', 'status 500'] as const;

/** Writes `createReceipt` as `create receipt`. */
const spelledOut = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns the service's endpoints by their names; the document that has them is large, so it is read once. */
async function readEndpoints(): Promise<readonly EndpointOption[]> {
  if (endpoints) return endpoints;
  const { paths } = await requestSim<{ paths: Record<string, Record<string, OpenApiOperation>> }>(
    'GET',
    '/openapi.json',
  );
  const served = Object.entries(paths).filter(([path]) => !path.startsWith('/__admin'));
  const all = served.flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId: id }]): EndpointOption => [
      id,
      `${spelledOut(id)}: ${method.toUpperCase()} ${path}`,
    ]),
  );
  endpoints = all.filter(([id]) => !/Alias\d*$/.test(id)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return endpoints;
}

/** Returns the rule as `POST /__admin/faults` takes it. */
function ruleIn(fields: FormData): object {
  const [endpoint, method, path] = ['endpoint', 'method', 'path'].map((name) => fieldText(fields, name));
  const [kind = '', phase, delay, times] = ['kind', 'phase', 'delay', 'times'].map((name) => fieldText(fields, name));
  const match = {
    ...(endpoint && { endpoint }),
    ...(!endpoint && method !== 'any' && { method }),
    ...(!endpoint && path && { path }),
  };
  return {
    ...(Object.keys(match).length > 0 && { match }),
    fault: { ...choices.get(kind)?.fault, phase, ...(delay && { delay }) },
    ...(times && { times: Number(times) }),
  };
}

const methodAndPath = (): HTMLElement =>
  h(
    'div',
    { class: 'forms' },
    field(
      'Method',
      select(
        { name: 'method' },
        methods.map((name) => [name, name]),
      ),
    ),
    field('Path', h('input', { name: 'path', placeholder: 'any; /api/v3/contacts/{id}', size: '28' })),
  );

const faultFields = (kind: HTMLSelectElement): HTMLElement =>
  h(
    'div',
    { class: 'forms' },
    field('What goes wrong', kind),
    field('When', select({ name: 'phase' }, phases)),
    field(
      'How often (blank: always)',
      h('input', { name: 'times', type: 'number', min: '1', value: '1', class: 'short' }),
    ),
    field('Delay', h('input', { name: 'delay', placeholder: 'none; 2s', class: 'short' })),
    h('button', { class: 'first' }, 'Add fault'),
  );

/** Replaces the options of a field; what is selected stays so. */
function offerOptions(choice: HTMLSelectElement, options: readonly EndpointOption[]): void {
  const { value: before } = choice;
  replaceContent(
    choice,
    options.map(([value, label]) => h('option', { value }, label)),
  );
  if (options.some(([value]) => value === before)) choice.value = before;
}

/** Saves a rule as a scenario file, and returns what to say about it. */
export async function saveRule(id: string): Promise<HTMLElement[]> {
  const path = `/faults/${encodeURIComponent(id)}/scenario`;
  const scenario = await requestTenant<ScenarioFileJson>('GET', path);
  download(scenario);
  return savedFile(scenario);
}

export function faultForm() {
  const endpoint = select({ name: 'endpoint' }, [usualEndpoint]);
  const kind = select({ name: 'kind' }, [usualKind]);
  const byPath = methodAndPath();
  const togglePath = (): void => {
    byPath.hidden = endpoint.value !== '';
  };
  togglePath();
  endpoint.addEventListener('change', togglePath);
  const add = async (fields: FormData): Promise<void> => {
    await readChoices();
    const { id } = await requestTenant<ActiveRuleJson>('POST', '/faults', { body: ruleIn(fields) });
    const which = fieldText(fields, 'endpoint') || 'such request';
    replaceContent(
      result,
      h('p', {}, `Rule ${id} is in force: the next ${which} meets it.`),
      h(
        'p',
        { class: 'actions' },
        button('Save as scenario', async () => replaceContent(result, await saveRule(id))),
      ),
    );
  };
  const requests = h('div', { class: 'forms' }, field('Which requests', endpoint), byPath);
  const result = h('div', { class: 'action-result', role: 'status' });
  let selected = '';
  let hasAll = false;
  return {
    element: form({ class: 'panel', 'aria-label': 'Add a fault' }, add, requests, faultFields(kind), result),
    /** Selects the endpoint that the address names, once. */
    propose: (about: string): void => {
      if (about === selected) return;
      selected = about;
      if (about === '') return;
      if (!hasAll) offerOptions(endpoint, [[about, spelledOut(about)]]);
      endpoint.value = about;
      togglePath();
    },
    /** Offers all endpoints, and all that may go wrong. */
    offer: async (): Promise<void> => {
      const [named] = await Promise.all([readEndpoints(), readChoices()]);
      if (hasAll) return;
      hasAll = true;
      offerOptions(
        kind,
        [...choices.values()].map(({ value, label }) => [value, label]),
      );
      const { value: wanted } = endpoint;
      offerOptions(endpoint, [...named, ['', 'by method and path']]);
      // An address may name what is no endpoint.
      if (endpoint.value !== wanted) [endpoint.value] = usualEndpoint;
      togglePath();
    },
  };
}

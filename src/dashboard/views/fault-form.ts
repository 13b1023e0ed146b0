/** Shows a form for one fault: which requests, what goes wrong, and how often. */
import { field, form, h, select, fieldText } from '../ui/elements.ts';
import { requestSim, requestTenant } from '../api/client.ts';
import type { ActiveRuleJson, FaultKindJson } from '../api/api-types.ts';

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
  ['before', 'before the work: nothing is done'],
  ['after', 'after the work: it is done, but the response is lost'],
] as const;

const methods = ['any', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface OpenApiOperation {
  readonly operationId: string;
}

let endpoints: readonly string[] | undefined;

/** Returns the ids of the service's endpoints; the document that has them is large, so it is read once. */
async function readEndpoints(): Promise<readonly string[]> {
  if (endpoints) return endpoints;
  const { paths } = await requestSim<{ paths: Record<string, Record<string, OpenApiOperation>> }>(
    'GET',
    '/openapi.json',
  );
  const served = Object.entries(paths).filter(([path]) => !path.startsWith('/__admin'));
  const ids = served.flatMap(([, item]) => Object.values(item).map(({ operationId }) => operationId));
  endpoints = ids.filter((id) => !/Alias\d*$/.test(id)).toSorted();
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
    field('Times (blank: always)', h('input', { name: 'times', type: 'number', min: '1', value: '1', class: 'short' })),
    field('Delay', h('input', { name: 'delay', placeholder: 'none; 2s', class: 'short' })),
    h('button', { class: 'first' }, 'Add fault'),
  );

export function faultForm(onAdded: () => void) {
  const endpoint = select({ name: 'endpoint' }, [['', 'by method and path']]);
  const kind = select({ name: 'kind' }, []);
  const byPath = methodAndPath();
  const togglePath = (): void => {
    byPath.hidden = endpoint.value !== '';
  };
  endpoint.addEventListener('change', togglePath);
  const add = async (fields: FormData): Promise<void> => {
    await requestTenant<ActiveRuleJson>('POST', '/faults', { body: ruleIn(fields) });
    onAdded();
  };
  const requests = h('div', { class: 'forms' }, field('Requests to', endpoint), byPath);
  let named = '';
  return {
    element: form({ class: 'panel', 'aria-label': 'Add a fault' }, add, requests, faultFields(kind)),
    /** Offers all endpoints, and selects the one that the address names, once. */
    offer: async (about: string): Promise<void> => {
      const [ids] = await Promise.all([readEndpoints(), readChoices()]);
      if (kind.options.length === 0) {
        kind.append(...[...choices.values()].map(({ value, label }) => h('option', { value }, label)));
        kind.value = '500';
      }
      if (endpoint.options.length === 1) endpoint.append(...ids.map((id) => h('option', { value: id }, id)));
      if (about !== named && about !== '') endpoint.value = about;
      named = about;
      togglePath();
    },
  };
}

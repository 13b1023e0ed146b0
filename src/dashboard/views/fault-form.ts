/** A small form for one fault: which calls, what goes wrong, and how often. */
import type { FaultName, NamedFaults } from '../../admin/faults.ts';
import { field, form, h, select, fieldText } from '../ui/elements.ts';
import { requestSim, requestTenant } from '../api/client.ts';
import type { ActiveRuleJson } from '../api/api-types.ts';

interface NamedFaultChoice<Name extends FaultName> {
  readonly label: string;
  readonly fault: NamedFaults[Name];
}

/** Offers the faults that have names; their types are those of the simulator, so that neither can differ. */
const namedFaults: { readonly [Name in FaultName]: NamedFaultChoice<Name> } = {
  CONNECTION_RESET_BY_PEER: { label: 'connection reset', fault: { respond: 'none', end: 'reset' } },
  EMPTY_RESPONSE: { label: 'closed without a response', fault: { respond: 'none', end: 'close' } },
  MALFORMED_RESPONSE_CHUNK: {
    label: 'response breaks off in a bad chunk',
    fault: { respond: 'bad-chunk', end: 'close' },
  },
  RANDOM_DATA_THEN_CLOSE: { label: 'garbage, then closed', fault: { respond: 'garbage', end: 'close' } },
  ok: { label: 'the real response, late', fault: { respond: 'full' } },
};

const isFaultName = (kind: string): kind is FaultName => Object.hasOwn(namedFaults, kind);

/** The statuses that clients meet; rules can have any. */
const statuses = ['500', '502', '503', '504', '429', '408', '401', '403', '404', '409'];

const kinds: readonly (readonly [string, string])[] = [
  ...statuses.map((status) => [status, `status ${status}`] as const),
  ...Object.entries(namedFaults).map(([name, { label }]) => [name, label] as const),
  ['hang', 'left hanging'],
];

function faultOf(kind: string): object {
  if (isFaultName(kind)) return namedFaults[kind].fault;
  return kind === 'hang' ? { respond: 'none', end: 'hang' } : { status: Number(kind) };
}

const phases = [
  ['before', 'before the work: nothing is done'],
  ['after', 'after the work: it is done, but the response is lost'],
] as const;

const methods = ['any', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface OpenApiOperation {
  readonly operationId: string;
}

let endpoints: readonly string[] | undefined;

/** The service's endpoints as they are named in rules; the document that names them is large, and read once. */
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

/** The rule that the form asks for, as `POST /__admin/faults` takes it. */
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
    fault: { ...faultOf(kind), ...(kind !== 'ok' && { phase }), ...(delay && { delay }) },
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

const faultFields = (): HTMLElement =>
  h(
    'div',
    { class: 'forms' },
    field('What goes wrong', select({ name: 'kind' }, kinds)),
    field('When', select({ name: 'phase' }, phases)),
    field('Times (blank: always)', h('input', { name: 'times', type: 'number', min: '1', value: '1', class: 'short' })),
    field('Delay', h('input', { name: 'delay', placeholder: 'none; 2s', class: 'short' })),
    h('button', { class: 'first' }, 'Add fault'),
  );

export function faultForm(onAdded: () => void) {
  const endpoint = select({ name: 'endpoint' }, [['', 'by method and path']]);
  const byPath = methodAndPath();
  const look = (): void => {
    byPath.hidden = endpoint.value !== '';
  };
  endpoint.addEventListener('change', look);
  const add = async (fields: FormData): Promise<void> => {
    await requestTenant<ActiveRuleJson>('POST', '/faults', { body: ruleIn(fields) });
    onAdded();
  };
  const calls = h('div', { class: 'forms' }, field('Calls of', endpoint), byPath);
  let named = '';
  return {
    element: form({ class: 'panel', 'aria-label': 'Add a fault' }, add, calls, faultFields()),
    /** Offers all endpoints; the one that the address names is chosen once. */
    offer: async (about: string): Promise<void> => {
      const ids = await readEndpoints();
      if (endpoint.options.length === 1) endpoint.append(...ids.map((id) => h('option', { value: id }, id)));
      if (about !== named && about !== '') endpoint.value = about;
      named = about;
      look();
    },
  };
}

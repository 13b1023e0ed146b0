/** A small form for one fault: which calls, what goes wrong, and how often. */
import { faultNames, isFaultName, namedFaults } from '../scenario/fault-names.ts';
import type { FaultName } from '../scenario/fault-names.ts';
import { field, form, make, select, textIn } from './elements.ts';
import { callSim, callTenant } from './service.ts';
import type { ActiveRule } from './shown.ts';

const words: Readonly<Record<FaultName, string>> = {
  CONNECTION_RESET_BY_PEER: 'connection reset',
  EMPTY_RESPONSE: 'closed without an answer',
  MALFORMED_RESPONSE_CHUNK: 'answer breaks off in a bad chunk',
  RANDOM_DATA_THEN_CLOSE: 'garbage, then closed',
  ok: 'the real answer, late',
};

/** The statuses that clients meet; rules can have any. */
const statuses = ['500', '502', '503', '504', '429', '408', '401', '403', '404', '409'];

const kinds: readonly (readonly [string, string])[] = [
  ...statuses.map((status) => [status, `status ${status}`] as const),
  ...faultNames.map((name) => [name, words[name]] as const),
  ['hang', 'left hanging'],
];

function faultOf(kind: string): object {
  if (isFaultName(kind)) return namedFaults[kind];
  return kind === 'hang' ? { respond: 'none', end: 'hang' } : { status: Number(kind) };
}

const methods = ['any', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface Operation {
  readonly operationId: string;
}

/** The service's endpoints as they are named in rules; the document that names them is large, and asked for once. */
let endpoints: Promise<readonly string[]> | undefined;

async function readEndpoints(): Promise<readonly string[]> {
  const { paths } = await callSim<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json');
  const served = Object.entries(paths).filter(([path]) => !path.startsWith('/__admin'));
  const ids = served.flatMap(([, item]) => Object.values(item).map(({ operationId }) => operationId));
  return ids.filter((id) => !/Alias\d*$/.test(id)).toSorted();
}

/** The rule that the form asks for, as `POST /__admin/faults` takes it. */
function ruleIn(fields: FormData): object {
  const [endpoint, method, path] = ['endpoint', 'method', 'path'].map((name) => textIn(fields, name));
  const [kind = '', phase, delay, times] = ['kind', 'phase', 'delay', 'times'].map((name) => textIn(fields, name));
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

export function faultForm(onAdded: () => void) {
  const endpoint = select({ name: 'endpoint' }, [['', 'by method and path']]);
  const kind = select({ name: 'kind' }, kinds);
  const byPath = make(
    'div',
    { class: 'forms' },
    field(
      'Method',
      select(
        { name: 'method' },
        methods.map((name) => [name, name]),
      ),
    ),
    field('Path', make('input', { name: 'path', placeholder: 'any; /api/v3/contacts/{id}', size: '28' })),
  );
  const look = (): void => {
    byPath.hidden = endpoint.value !== '';
  };
  endpoint.addEventListener('change', look);
  const element = form(
    { class: 'panel', 'aria-label': 'Add a fault' },
    async (fields) => {
      await callTenant<ActiveRule>('POST', '/faults', { body: ruleIn(fields) });
      onAdded();
    },
    make('div', { class: 'forms' }, field('Calls of', endpoint), byPath),
    make(
      'div',
      { class: 'forms' },
      field('What goes wrong', kind),
      field(
        'When',
        select({ name: 'phase' }, [
          ['before', 'before the work: nothing is done'],
          ['after', 'after the work: it is done, and not told'],
        ]),
      ),
      field(
        'Times (blank: always)',
        make('input', { name: 'times', type: 'number', min: '1', value: '1', class: 'short' }),
      ),
      field('Delay', make('input', { name: 'delay', placeholder: 'none; 2s', class: 'short' })),
      make('button', { class: 'first' }, 'Add fault'),
    ),
  );
  const offer = async (chosen: string): Promise<void> => {
    for (const id of await (endpoints ??= readEndpoints())) {
      if (![...endpoint.options].some(({ value }) => value === id)) endpoint.append(make('option', { value: id }, id));
    }
    if (chosen !== '') endpoint.value = chosen;
    look();
  };
  return { element, offer };
}

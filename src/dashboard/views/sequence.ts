/** Shows a request as a sequence: who sent what to whom, and where the request or its response was lost. */
import { h, pluralize } from '../ui/elements.ts';
import { laterText } from '../ui/moments.ts';
import type { ExchangeJson } from '../api/api-types.ts';
import { groupEffects } from '../effects/effect-groups.ts';

const names = {
  client: 'Client',
  network: 'Network',
  service: 'Service',
  state: 'State',
  master: 'Point master',
} as const;

type Participant = keyof typeof names;

interface SequenceStep {
  readonly from: Participant;
  readonly to: Participant;
  readonly text: string;
  /** Is `lost` for what never arrives, and `idle` for what has no effect. */
  readonly look: 'sent' | 'lost' | 'idle';
}

const step = (from: Participant, to: Participant, text: string, look: SequenceStep['look'] = 'sent'): SequenceStep => ({
  from,
  to,
  text,
  look,
});

/** Returns the steps of a request in their order. */
function sequenceOf(exchange: ExchangeJson): SequenceStep[] {
  const { method, path, response, fault, effects, jobs, end } = exchange;
  const line = `${method} ${path.replace('/api/v3', '')}`;
  if (!response) {
    const reason = fault ? `fault ${fault.rule}: nothing is done` : 'still on its way';
    const sent = [step('client', 'network', line), step('network', 'service', reason, fault ? 'lost' : 'idle')];
    return [...sent, ...(end === null ? [] : deliverySteps(exchange))];
  }
  const webhooks = effects.filter(({ table, change }) => table === 'webhookDeliveries' && change === 'created');
  const own = effects.filter(({ table }) => table !== 'webhookDeliveries');
  const changed = groupEffects(own).map(({ title }) => title.toLowerCase());
  return [
    step('client', 'service', line),
    own.length === 0
      ? step('service', 'state', 'changes nothing', 'idle')
      : step('service', 'state', `${pluralize(own.length, 'effect')}: ${changed.join(', ')}`),
    ...webhooks.map(({ fields }) => step('service', 'master', `webhook ${String(fields['eventType']?.to ?? '')}`)),
    ...(end === null ? [step('service', 'network', 'the response waits', 'idle')] : deliverySteps(exchange)),
    ...jobs.map(({ job, at }) => step('service', 'state', `job ${job}, ${laterText(at, exchange.at)}`)),
  ];
}

const endings = {
  normal: 'not as it was sent',
  close: 'closed before the end',
  reset: 'connection reset',
  hang: 'silence',
  'client-aborted': 'the client had hung up',
} as const;

/** Returns how the response went to the client, and where it was lost. */
function deliverySteps({ response, status, end, fault, delivered }: ExchangeJson): SequenceStep[] {
  const waited = fault && fault.delay > 0 ? ` after ${fault.delay} ms` : '';
  const isWhole = end === 'normal' && (!fault || (response?.status === status && response?.body === delivered?.body));
  if (isWhole) return [step('service', 'client', `${status}${waited}`)];
  const sent = response ? [step('service', 'network', String(response.status))] : [];
  const cause = fault ? `fault ${fault.rule}: ` : '';
  if (status !== null && end === 'normal') return [...sent, step('network', 'client', `${cause}${status}${waited}`)];
  const part = status === null ? 'lost' : `${status}, then lost`;
  return [...sent, step('network', 'client', `${cause}${part}, ${endings[end ?? 'normal']}${waited}`, 'lost')];
}

/** Shows the steps as arrows between the participants. */
export function sequencePicture(exchange: ExchangeJson): HTMLElement {
  const steps = sequenceOf(exchange);
  const order = Object.keys(names) as Participant[];
  const shown = order.filter((one) => one !== 'master' || steps.some(({ to }) => to === 'master'));
  const element = h(
    'ol',
    { class: 'sequence', 'aria-label': 'Sequence of the request' },
    shown.map((one, column) => [
      placed(h('li', { class: 'participant', 'aria-hidden': 'true' }, names[one]), column, { row: '1' }),
      placed(h('li', { class: 'lifeline', 'aria-hidden': 'true' }), column, { row: `2 / span ${steps.length}` }),
    ]),
    steps.map(({ from, to, text, look }, row) => {
      const [a, b] = [shown.indexOf(from), shown.indexOf(to)];
      const item = h(
        'li',
        { class: `step ${look} ${a < b ? 'right' : 'left'}` },
        h('span', { class: 'hidden-label' }, `${names[from]} to ${names[to]}: `),
        h('span', { class: 'words' }, text),
        h('span', { class: 'arrow', 'aria-hidden': 'true' }, look === 'lost' ? h('b', {}, '✗') : ''),
      );
      return placed(item, Math.min(a, b), { columns: Math.abs(a - b) + 1, row: String(row + 2) });
    }),
  );
  element.style.setProperty('--participants', String(shown.length));
  return element;
}

interface Area {
  readonly columns?: number;
  readonly row: string;
}

/** Puts an element into rows, over so many columns from a column on. */
function placed(element: HTMLElement, column: number, { columns = 1, row }: Area): HTMLElement {
  element.style.gridRow = row;
  element.style.gridColumn = `${column + 1} / span ${columns}`;
  element.style.setProperty('--columns', String(columns));
  return element;
}

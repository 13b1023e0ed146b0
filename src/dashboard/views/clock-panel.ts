/** Sets the tenant's clock, and lists the jobs that were executed. */
import { button, field, replaceContent, form, h, pluralize, fieldText } from '../ui/elements.ts';
import { formatLength } from '../../format/timeline.ts';
import { formatDateTime, parseMoment } from '../ui/timestamps.ts';
import { executedJobItem } from '../effects/effects.ts';
import { renderItems } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ClockJson, ExecutedJobJson, ClockChangeJson } from '../api/api-types.ts';
import type { ReceivedEvent } from '../api/event-stream.ts';

/** Limits the executed jobs that are kept. */
const most = 100;

const isExecutedJob = ({ event }: ReceivedEvent): boolean => event === 'job.completed' || event === 'job.failed';

/** Lists executed jobs, the last first. */
export function executedJobList() {
  const list = h('ul', { class: 'executed' });
  let items: ExecutedJobJson[] = [];
  return {
    list,
    show: (): void =>
      renderItems(list, items, { key: ({ at, job }) => `${at} ${job}`, render: executedJobItem, none: 'Nothing yet.' }),
    hear: (received: ReceivedEvent): void => {
      if (/^(stream\.opened|tenant\.replaced|state\.reset)$/.test(received.event)) items = [];
      // The data of an event is what the control API declares.
      if (isExecutedJob(received)) items = [received.data as ExecutedJobJson, ...items.slice(0, most - 1)];
    },
  };
}

export function clockPanel(onChange: (face: ClockJson) => void): HTMLElement {
  const note = h('p', { role: 'status', class: 'faint' });
  const setClock = async (how: object): Promise<void> => {
    const before = await requestTenant<ClockJson>('GET', '/clock');
    const changed = await requestTenant<ClockChangeJson>('POST', '/clock', { body: how });
    const moved = parseMoment(changed.now) - parseMoment(before.now);
    onChange(changed);
    const words =
      changed.executed.length === 0
        ? 'Nothing fell due.'
        : `${pluralize(changed.executed.length, 'job')} executed on the way, listed below.`;
    replaceContent(
      note,
      `It is ${formatDateTime(changed.now)}. ${moved >= 1000 ? `That is ${formatLength(moved)} later. ` : ''}${words}`,
      changed.warnings.map(({ message }) => ` ${message}.`),
    );
  };
  const advance = (by: string): HTMLButtonElement =>
    button(`+${by}`, () => setClock({ advance: by }), { title: `Advance by ${by}` });
  const by = h('input', { name: 'by', value: '30d', required: '', size: '6' });
  const at = h('input', { name: 'at', placeholder: '2026-03-01T12:00:00Z', required: '', size: '22' });
  return h(
    'div',
    { class: 'panel' },
    h(
      'p',
      { class: 'actions' },
      button('Freeze', () => setClock({ freeze: true })),
      button('Resume', () => setClock({ resume: true })),
      ...['15m', '1h', '1d', '30d'].map(advance),
    ),
    h(
      'div',
      { class: 'forms' },
      form(
        {},
        (fields) => setClock({ advance: fieldText(fields, 'by') }),
        field('Advance by (15m, 2h, 30d, P1M)', by),
        h('button', {}, 'Advance'),
      ),
      form(
        {},
        (fields) => setClock({ set: fieldText(fields, 'at') }),
        field('Set clock to', at),
        h('button', {}, 'Set clock'),
      ),
    ),
    note,
  );
}

/** The tenant's clock as it runs, and what happened when it was turned. */
import { parseTimestamp, toTimestamp } from '../../core/time/clock.ts';
import { button, chip, field, replaceContent, form, h, formatDateTime, pluralize, fieldText } from '../ui/elements.ts';
import { executedJobItem } from './effects.ts';
import { renderItems } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ClockJson, ExecutedJobJson, ClockChangeJson } from '../api/api-types.ts';
import type { ReceivedEvent } from '../api/event-stream.ts';

/** So many things that happened are kept. */
const most = 100;

/** Shows a clock in an element, and lets it run on from what the sim last said. */
export function runningClock(element: HTMLElement): (face: ClockJson) => void {
  let face: ClockJson = { now: '', frozen: true };
  let heardAt = 0;
  const show = (): void => {
    if (face.now === '') return;
    const passed = face.frozen ? 0 : performance.now() - heardAt;
    const now = toTimestamp((parseTimestamp(face.now) ?? 0) + passed);
    replaceContent(
      element,
      h('time', { datetime: now }, formatDateTime(now)),
      ' UTC ',
      face.frozen && chip('frozen', 'frozen'),
    );
  };
  setInterval(show, 1000);
  return (heard) => {
    face = heard;
    heardAt = performance.now();
    show();
  };
}

const isHappening = ({ event }: ReceivedEvent): boolean => event === 'job.completed' || event === 'job.failed';

/** What happened by itself, the last first. */
export function executedJobList() {
  const list = h('ul', { class: 'happened' });
  let items: ExecutedJobJson[] = [];
  return {
    list,
    show: (): void =>
      renderItems(list, items, { key: ({ at, job }) => `${at} ${job}`, render: executedJobItem, none: 'Nothing yet.' }),
    hear: (told: ReceivedEvent): void => {
      if (/^(stream\.opened|tenant\.replaced|state\.reset)$/.test(told.event)) items = [];
      // The sim tells what it declares.
      if (isHappening(told)) items = [told.data as ExecutedJobJson, ...items.slice(0, most - 1)];
    },
  };
}

export function clockPanel(onTurn: (face: ClockJson) => void): HTMLElement {
  const note = h('p', { role: 'status', class: 'faint' });
  const turn = async (how: object): Promise<void> => {
    const turned = await requestTenant<ClockChangeJson>('POST', '/clock', { body: how });
    onTurn(turned);
    const words =
      turned.happened.length === 0
        ? 'Nothing fell due.'
        : `${pluralize(turned.happened.length, 'thing')} happened on the way, listed below.`;
    replaceContent(
      note,
      `It is ${formatDateTime(turned.now)}. ${words}`,
      turned.warnings.map(({ message }) => ` ${message}.`),
    );
  };
  const advance = (by: string): HTMLButtonElement =>
    button(`+${by}`, () => turn({ advance: by }), { title: `Advance by ${by}` });
  const by = h('input', { name: 'by', value: '30d', required: '', size: '6' });
  const at = h('input', { name: 'at', placeholder: '2026-03-01T12:00:00Z', required: '', size: '22' });
  return h(
    'div',
    { class: 'panel' },
    h(
      'p',
      { class: 'actions' },
      button('Freeze', () => turn({ freeze: true })),
      button('Resume', () => turn({ resume: true })),
      ...['15m', '1h', '1d', '30d'].map(advance),
    ),
    h(
      'div',
      { class: 'forms' },
      form(
        {},
        (fields) => turn({ advance: fieldText(fields, 'by') }),
        field('Advance by (15m, 2h, 30d, P1M)', by),
        h('button', {}, 'Advance'),
      ),
      form({}, (fields) => turn({ set: fieldText(fields, 'at') }), field('Set to', at), h('button', {}, 'Set')),
    ),
    note,
  );
}

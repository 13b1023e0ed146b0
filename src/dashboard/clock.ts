/** The tenant's clock as it runs, and what happened when it was turned. */
import { parseTimestamp, toTimestamp } from '../core/clock.ts';
import { button, chip, field, fill, form, make, momentOf, plural, textIn } from './elements.ts';
import { happeningItem } from './effects.ts';
import { showItems } from './items.ts';
import { callTenant } from './service.ts';
import type { ClockFace, Happening, Turned } from './shown.ts';
import type { Told } from './stream.ts';

/** So many things that happened are kept. */
const most = 100;

/** Shows a clock in an element, and lets it run on from what the sim last said. */
export function clockFace(element: HTMLElement): (face: ClockFace) => void {
  let face: ClockFace = { now: '', frozen: true };
  let heardAt = 0;
  const show = (): void => {
    if (face.now === '') return;
    const passed = face.frozen ? 0 : performance.now() - heardAt;
    const now = toTimestamp((parseTimestamp(face.now) ?? 0) + passed);
    fill(element, make('time', { datetime: now }, momentOf(now)), ' UTC ', face.frozen && chip('frozen', 'frozen'));
  };
  setInterval(show, 1000);
  return (heard) => {
    face = heard;
    heardAt = performance.now();
    show();
  };
}

const isHappening = ({ event }: Told): boolean => event === 'job.done' || event === 'job.failed';

/** What happened by itself, the last first. */
export function happened() {
  const list = make('ul', { class: 'happened' });
  let items: Happening[] = [];
  return {
    list,
    show: (): void =>
      showItems(list, items, { key: ({ at, job }) => `${at} ${job}`, look: happeningItem, none: 'Nothing yet.' }),
    hear: (told: Told): void => {
      if (/^(stream\.opened|tenant\.replaced|state\.reset)$/.test(told.event)) items = [];
      // The sim tells what it declares.
      if (isHappening(told)) items = [told.data as Happening, ...items.slice(0, most - 1)];
    },
  };
}

export function clockPanel(onTurn: (face: ClockFace) => void): HTMLElement {
  const note = make('p', { role: 'status', class: 'faint' });
  const turn = async (how: object): Promise<void> => {
    const turned = await callTenant<Turned>('POST', '/clock', { body: how });
    onTurn(turned);
    const words =
      turned.happened.length === 0
        ? 'Nothing fell due.'
        : `${plural(turned.happened.length, 'thing')} happened on the way, listed below.`;
    fill(
      note,
      `It is ${momentOf(turned.now)}. ${words}`,
      turned.warnings.map(({ message }) => ` ${message}.`),
    );
  };
  const advance = (by: string): HTMLButtonElement =>
    button(`+${by}`, () => turn({ advance: by }), { title: `Advance by ${by}` });
  const by = make('input', { name: 'by', value: '30d', required: '', size: '6' });
  const at = make('input', { name: 'at', placeholder: '2026-03-01T12:00:00Z', required: '', size: '22' });
  return make(
    'div',
    { class: 'panel' },
    make(
      'p',
      { class: 'actions' },
      button('Freeze', () => turn({ freeze: true })),
      button('Resume', () => turn({ resume: true })),
      ...['15m', '1h', '1d', '30d'].map(advance),
    ),
    make(
      'div',
      { class: 'forms' },
      form(
        {},
        (fields) => turn({ advance: textIn(fields, 'by') }),
        field('Advance by (15m, 2h, 30d, P1M)', by),
        make('button', {}, 'Advance'),
      ),
      form({}, (fields) => turn({ set: textIn(fields, 'at') }), field('Set to', at), make('button', {}, 'Set')),
    ),
    note,
  );
}

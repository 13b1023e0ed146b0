/** Makes a slider over the requests of the journal; its last place is now. */
import { button, h, replaceContent, reportErrors } from '../ui/elements.ts';
import { moment } from '../ui/moments.ts';
import { formatDateTime } from '../ui/timestamps.ts';
import { coalesce } from '../ui/view.ts';
import { requestTenant } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import { addressOf } from '../ui/address.ts';
import type { ExchangeJson, ExchangeLineJson } from '../api/api-types.ts';

interface JournalSlider {
  readonly element: HTMLElement;
  /** Shows a place: the id of a request, or undefined for now. */
  readonly show: (request: string | undefined) => void;
  /** Reads how far the journal goes. */
  readonly refresh: () => Promise<void>;
}

/** Holds the numbers of the oldest and the newest request. */
interface Range {
  readonly first: number;
  readonly last: number;
}

async function readRange(): Promise<Range> {
  const { evicted, items } = await requestTenant<{ evicted: number; items: ExchangeLineJson[] }>('GET', '/requests', {
    query: { last: '1' },
  });
  return { first: evicted + 1, last: items[0]?.number ?? evicted };
}

const idOf = (number: number): string => `${selectedTenant()}-${number}`;

const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** Says which request a place is after. */
function placeOf({ id, at, method, path, status, fault }: ExchangeJson): (Node | string)[] {
  const response = status === null ? 'no response' : String(status);
  const link = h('a', { href: addressOf('requests', id) }, id);
  return [
    moment(at),
    `, at ${formatDateTime(at)}, right after `,
    link,
    `: ${method} ${path}, ${response}${fault ? `, fault ${fault.rule}` : ''}`,
  ];
}

/** Creates the slider; `onMove` hears where it was moved. */
export function journalSlider(onMove: (request: string | undefined) => void): JournalSlider {
  const input = h('input', { type: 'range', min: '1', max: '1', step: '1', 'aria-label': 'Moment' });
  const words = h('output', { class: 'moment' }, 'now');
  let range: Range = { first: 1, last: 0 };
  let shown: string | undefined;
  const describe = coalesce(() =>
    reportErrors(async () => {
      const wanted = shown;
      if (wanted === undefined) return replaceContent(words, 'now');
      const exchange = await requestTenant<ExchangeJson>('GET', `/requests/${encodeURIComponent(wanted)}`);
      if (wanted === shown) replaceContent(words, placeOf(exchange));
    }),
  );
  const place = (): void => {
    const { first, last } = range;
    input.min = String(first);
    input.max = String(last + 1);
    input.value = String(shown === undefined ? last + 1 : numberOf(shown));
    input.setAttribute('aria-valuetext', shown === undefined ? 'now' : `right after ${shown}`);
    input.disabled = last < first;
  };
  const moveTo = (number: number): void => {
    const { first, last } = range;
    shown = number > last ? undefined : idOf(Math.max(first, number));
    place();
    describe();
    onMove(shown);
  };
  input.addEventListener('input', () => moveTo(Number(input.value)));
  const step = (by: number) => () => moveTo((shown === undefined ? range.last + 1 : numberOf(shown)) + by);
  return {
    element: h(
      'div',
      { class: 'journal-slider' },
      button('◀', step(-1), { 'aria-label': 'One request earlier' }),
      input,
      button('▶', step(1), { 'aria-label': 'One request later' }),
      button('Now', () => moveTo(Infinity)),
      words,
    ),
    show: (request) => {
      shown = request;
      place();
      describe();
    },
    refresh: async () => {
      range = await readRange();
      place();
    },
  };
}

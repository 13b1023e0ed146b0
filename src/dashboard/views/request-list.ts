/** Lists the requests of the journal, the newest first. */
import { RequestPages } from '../api/request-pages.ts';
import type { RequestQuery } from '../api/request-pages.ts';
import type { ListedExchangeJson } from '../api/api-types.ts';
import { requestTenant } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import { confirmDialog } from '../ui/confirm-dialog.ts';
import { button, h, pluralize, reportErrors } from '../ui/elements.ts';
import { virtualList } from '../ui/virtual-list.ts';
import { requestFilter } from './request-filter.ts';
import { requestRow } from './request-row.ts';

const none = 'No requests yet, or none that match the filter.';
/** Holds the height of a row in rem, as the style has it. */
const rowHeight = 3.5;

interface KnownRow {
  readonly text: string;
  readonly element: HTMLElement;
}

/** Renders rows, and keeps those that have not changed. */
function rowRenderer(view: string) {
  let known = new Map<string, KnownRow>();
  let before = known;
  return {
    /** Gives up rows that were not rendered since the last call. */
    begin: (): void => {
      [before, known] = [known, new Map()];
    },
    render: (line: ListedExchangeJson): HTMLElement => {
      const text = JSON.stringify(line);
      const same = known.get(line.id) ?? before.get(line.id);
      const row = same?.text === text ? same : { text, element: requestRow(line, view) };
      // The focus goes on to the row of a request that has changed.
      if (same && same !== row && same.element === document.activeElement) {
        same.element.replaceWith(row.element);
        row.element.focus({ preventScroll: true });
      }
      known.set(line.id, row);
      return row.element;
    },
  };
}

async function clearJournal(): Promise<void> {
  const { count } = await requestTenant<{ count: number }>('GET', '/requests', { query: { limit: '1' } });
  const question = `Delete ${count === 1 ? 'the only request' : `all ${count} requests`} of the journal of "${selectedTenant()}"? The verdict forgets them as well; customers and points stay as they are.`;
  if (await confirmDialog(question, 'Clear')) await requestTenant('DELETE', '/requests');
}

/** Creates the list with its filter; `view` names the view in which its requests are opened. */
export function requestList(view: string, onFilter: (query: RequestQuery) => void = () => {}) {
  const count = h('span', { role: 'status', class: 'faint' });
  let filter: RequestQuery = {};
  let span: RequestQuery = {};
  let chosen = '';
  const rows = rowRenderer(view);
  const pages = new RequestPages(() => show());
  const list = virtualList({
    label: 'Requests, the newest first',
    rowHeight,
    none,
    onRange: (first, last) => {
      rows.begin();
      pages.look(first, last);
    },
    render: (index) => {
      const line = pages.at(index);
      if (!line) return h('div', { class: 'request', 'aria-hidden': 'true' }, '…');
      const row = rows.render(line);
      row.setAttribute('aria-current', String(line.id === chosen));
      return row;
    },
  });
  const show = (): void => {
    list.setCount(pages.count);
    const isAll = Object.keys(filter).length + Object.keys(span).length === 0;
    const dropped = isAll && pages.evicted > 0 ? `, ${pages.evicted} older ones dropped` : '';
    count.textContent = `${pluralize(pages.count, 'request')}${isAll ? dropped : ' found'}`;
    list.show();
  };
  const select = async (): Promise<void> => {
    list.scrollToTop();
    await reportErrors(() => pages.select({ ...filter, ...span }));
  };
  const { fields } = requestFilter((query) => {
    filter = query;
    onFilter(query);
    void select();
  });
  const clear = button('Clear …', clearJournal, { title: 'Empties the journal' });
  return {
    toolbar: h('div', { class: 'toolbar' }, fields, count, clear),
    list: list.element,
    refresh: (): Promise<void> => pages.refresh(),
    /** Shows only the requests of a span; an empty query shows all. */
    selectSpan: (query: RequestQuery): void => {
      if (JSON.stringify(query) === JSON.stringify(span)) return;
      span = query;
      void select();
    },
    choose: (id: string): void => {
      chosen = id;
      list.show();
    },
  };
}

/** Lists the requests of the journal, the newest first. */
import { RequestPages } from '../api/request-pages.ts';
import type { RequestQuery } from '../api/request-pages.ts';
import type { ListedExchangeJson } from '../api/api-types.ts';
import { requestTenant } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import { confirmDialog } from '../ui/confirm-dialog.ts';
import { button, h, pluralize, reportErrors } from '../ui/elements.ts';
import { filterChips } from '../ui/filter-chips.ts';
import type { Filter } from '../ui/filter-chips.ts';
import { renderValue } from '../ui/items.ts';
import { virtualList } from '../ui/virtual-list.ts';
import { requestFilter } from './request-filter.ts';
import { requestRow } from './request-row.ts';

const none = 'No requests yet, or none that match the filters.';
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

/** Selects some requests in addition to the fields of the filter. */
export interface RequestSelection extends Filter {
  readonly query: RequestQuery;
}

interface RequestListOptions {
  /** Gets the query of the fields when it has changed. */
  readonly onFilter?: (query: RequestQuery) => void;
}

/** Creates the list with its filter; `view` names the view in which its requests are opened. */
export function requestList(view: string, { onFilter = () => {} }: RequestListOptions = {}) {
  const count = h('span', { role: 'status', class: 'faint' });
  let filter: RequestQuery = {};
  let selection: RequestSelection | undefined;
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
    const isAll = Object.keys(filter).length === 0 && !selection;
    const dropped = isAll && pages.evicted > 0 ? `, ${pages.evicted} older ones dropped` : '';
    count.textContent = `${pluralize(pages.count, 'request')}${isAll ? dropped : ' found'}`;
    list.show();
    showNotice();
  };
  /** Says when a search finds nothing because only some requests are searched. */
  const showNotice = (): void => {
    notice.hidden = !(selection && pages.count === 0 && Object.keys(filter).length > 0);
    renderValue(notice, selection?.label, (label) => [
      `Nothing is found within ${label}. `,
      button('Search in all requests', () => selection?.remove()),
    ]);
  };
  const select = async (): Promise<void> => {
    list.scrollToTop();
    showFilters();
    await reportErrors(() => pages.select({ ...filter, ...selection?.query }));
  };
  const {
    fields,
    filters,
    clear: clearFields,
  } = requestFilter((query) => {
    filter = query;
    onFilter(query);
    void select();
  });
  const showAll = (): void => {
    clearFields();
    selection?.remove();
  };
  const chips = filterChips(showAll);
  const showFilters = (): void => chips.show([...(selection ? [selection] : []), ...filters()]);
  const notice = h('p', { class: 'notice', role: 'status', hidden: '' });
  const clear = button('Clear …', clearJournal, { title: 'Empties the journal' });
  return {
    toolbar: h('div', { class: 'toolbar' }, fields, count, clear),
    list: list.element,
    /** Holds the filters in force, the button that takes all away, and what is said when they leave nothing. */
    filters: chips.element,
    all: chips.all,
    notice,
    showAll,
    clearFields,
    refresh: (): Promise<void> => pages.refresh(),
    /** Shows only some requests; undefined shows all. */
    select: (wanted: RequestSelection | undefined): void => {
      const isSame = JSON.stringify(wanted?.query) === JSON.stringify(selection?.query);
      selection = wanted;
      if (isSame) showFilters();
      else void select();
    },
    choose: (id: string): void => {
      chosen = id;
      list.show();
    },
  };
}

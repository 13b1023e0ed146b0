/** Finds a contact by name, e-mail, phone or number. */
import { addressOf } from '../ui/address.ts';
import { form, h, pluralize, replaceContent, reportErrors } from '../ui/elements.ts';
import { renderItems } from '../ui/items.ts';
import { coalesce } from '../ui/view.ts';
import { requestTenant } from '../api/client.ts';
import type { ContactListJson } from '../api/api-types.ts';

type Summary = ContactListJson['items'][number];

/** Limits the contacts that are listed. */
const most = 50;

const summaryItem = ({ id, name, email, mobilePhone, memberNumber, contactType }: Summary): HTMLElement =>
  h(
    'li',
    {},
    h(
      'a',
      { href: addressOf('contact', id) },
      h('strong', {}, name || email || memberNumber || id),
      h('span', { class: 'faint' }, [email, mobilePhone, memberNumber, contactType].filter(Boolean).join(' · ')),
    ),
  );

interface ContactSearch {
  readonly element: HTMLElement;
  /** Lists the contacts again, if the list is shown. */
  readonly refresh: () => Promise<void>;
  /** Shows or hides the list. */
  readonly showList: (isShown: boolean) => void;
}

/** Creates the search with its list; `onTyped` hears when somebody looks for another contact. */
export function contactSearch(onTyped: () => void): ContactSearch {
  const input = h('input', {
    type: 'search',
    name: 'search',
    size: '40',
    autocomplete: 'off',
    placeholder: 'Name, e-mail, phone or member number',
    'aria-label': 'Find a contact',
  });
  const [count, list] = [h('output', { class: 'faint' }), h('ul', { class: 'contact-list' })];
  const results = h('div', {}, count, list);
  let first: Summary | undefined;
  const refresh = async (): Promise<void> => {
    if (results.hidden) return;
    const found = await requestTenant<ContactListJson>('GET', '/contacts', {
      query: { limit: String(most), ...(input.value.trim() !== '' && { search: input.value }) },
    });
    first = found.items[0];
    const shown = found.items.length < found.count ? `, the first ${found.items.length} are shown` : '';
    replaceContent(count, `${pluralize(found.count, 'contact')}${shown}`);
    renderItems(list, found.items, {
      key: ({ id }) => id,
      render: summaryItem,
      none: `No contact has "${input.value.trim()}" in name, e-mail, phone or number.`,
    });
  };
  const refreshSoon = coalesce(() => reportErrors(refresh));
  input.addEventListener('input', () => {
    onTyped();
    results.hidden = false;
    refreshSoon();
  });
  const open = async (): Promise<void> => {
    results.hidden = false;
    await refresh();
    if (first) location.hash = addressOf('contact', first.id);
  };
  return {
    element: h('div', { class: 'contact-search' }, form({ class: 'toolbar', role: 'search' }, open, input), results),
    refresh,
    showList: (isShown) => {
      results.hidden = !isShown;
    },
  };
}

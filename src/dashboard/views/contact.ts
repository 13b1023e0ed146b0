/** Shows everything that the sim knows of one contact. */
import { addressOf } from '../ui/address.ts';
import { form, h, section, fieldText } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { fieldList, rowTable } from '../ui/row-fields.ts';
import type { RowFields } from '../ui/row-fields.ts';
import { renderValue } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ContactCard } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';

interface Part {
  readonly totalCount: number;
  readonly items: readonly RowFields[];
}

const listPart = (title: string, { totalCount, items }: Part): Child =>
  totalCount > 0 &&
  section(`${title} (${items.length < totalCount ? `${items.length} of ${totalCount}` : totalCount})`, rowTable(items));

function cardOf(card: Omit<ContactCard, 'now'>): Child {
  const { id, integerId, contact, pointAccounts, pointHistory, ...parts } = card;
  const accounts = pointAccounts.map(({ transactions, ...account }) =>
    section(`Points: ${account.definition}`, fieldList(account), listPart('Point transactions', transactions)),
  );
  return [
    section('Contact', fieldList({ id, integerId, ...contact.attributes, ...contact, attributes: undefined })),
    accounts,
    pointHistory &&
      listPart('History of the point master', { totalCount: pointHistory.items.length, items: pointHistory.items }),
    pointHistory?.note && h('p', { class: 'faint' }, pointHistory.note),
    Object.entries<Part | readonly RowFields[]>(parts).map(([name, part]) => listPart(titleOf(name), partOf(part))),
  ];
}

const partOf = (part: Part | readonly RowFields[]): Part =>
  'items' in part ? part : { totalCount: part.length, items: part };

/** Returns the title of a part of the card: `Reward vouchers` for `rewardVouchers`. */
const titleOf = (name: string): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const nobody = 'Points, promotions, receipts and all else that the simulator knows of one contact.';

export function contactView(): View {
  const input = h('input', {
    name: 'id',
    required: '',
    size: '40',
    placeholder: '5a0e7c1e-0001-4000-8000-000000000001 or 100001',
  });
  const card = h('div', { class: 'card-of-contact' });
  const search = form(
    { class: 'forms' },
    (fields) => void (location.hash = addressOf('contact', fieldText(fields, 'id'))),
    h('label', { class: 'field' }, h('span', {}, 'Id or member number'), input),
    h('button', { class: 'first' }, 'Show'),
  );
  let of = '';
  return {
    name: 'contact',
    title: 'Contact',
    element: h('div', {}, search, card),
    refreshOn: /^(request\.(completed|updated)|job|clock|state|snapshot|tenant|stream)/,
    refresh: async (about) => {
      if (about === '') return renderValue(card, '', () => h('p', { class: 'none' }, nobody));
      if (about !== of) {
        input.value = about;
        renderValue(card, about, () => null);
      }
      of = about;
      const path = `/contacts/${encodeURIComponent(about)}/card`;
      // The time would make every card a new one.
      const { now: _, ...shown } = await requestTenant<ContactCard>('GET', path);
      renderValue(card, shown, cardOf);
    },
  };
}

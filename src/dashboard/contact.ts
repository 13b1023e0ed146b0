/** A contact's card: all that the sim knows of one. */
import { form, make, section, textIn } from './elements.ts';
import type { Child } from './elements.ts';
import { factList, tableOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { showValue } from './items.ts';
import { callTenant } from './service.ts';
import type { ContactCard } from './shown.ts';
import type { View } from './view.ts';

interface Part {
  readonly totalCount: number;
  readonly items: readonly Fields[];
}

const listPart = (title: string, { totalCount, items }: Part): Child =>
  totalCount > 0 &&
  section(`${title} (${items.length < totalCount ? `${items.length} of ${totalCount}` : totalCount})`, tableOf(items));

function cardOf(card: Omit<ContactCard, 'now'>): Child {
  const { id, integerId, contact, consents, pointAccounts, pointHistory } = card;
  const { rewardVouchers, promotions, challenges, receipts, orders, communications } = card;
  const accounts = pointAccounts.map(({ transactions, ...account }) =>
    section(`Points: ${account.definition}`, factList(account), listPart('Point transactions', transactions)),
  );
  return [
    section('Contact', factList({ id, integerId, ...contact.attributes, ...contact, attributes: undefined })),
    listPart('Consents', { totalCount: consents.length, items: consents }),
    accounts,
    pointHistory &&
      listPart('History of the point master', { totalCount: pointHistory.items.length, items: pointHistory.items }),
    pointHistory?.note && make('p', { class: 'faint' }, pointHistory.note),
    listPart('Reward vouchers', rewardVouchers),
    listPart('Promotions', promotions),
    listPart('Challenges', challenges),
    listPart('Receipts', receipts),
    listPart('Orders', orders),
    listPart('Messages sent', communications),
  ];
}

const nobody = 'Points, promotions, receipts and all else that the simulator knows of one contact.';

export function contactView(): View {
  const input = make('input', {
    name: 'id',
    required: '',
    size: '40',
    placeholder: '5a0e7c1e-0001-4000-8000-000000000001 or 100001',
  });
  const card = make('div', { class: 'card-of-contact' });
  const search = form(
    { class: 'forms' },
    (fields) => void (location.hash = `contact/${encodeURIComponent(textIn(fields, 'id'))}`),
    make('label', { class: 'field' }, make('span', {}, 'Id or member number'), input),
    make('button', { class: 'first' }, 'Show'),
  );
  let of = '';
  return {
    name: 'contact',
    title: 'Contact',
    element: make('div', {}, search, card),
    staleBy: /^(exchange\.(answered|changed)|job|clock|state|tenant|stream)/,
    refresh: async (about) => {
      if (about === '') return showValue(card, '', () => make('p', { class: 'none' }, nobody));
      if (about !== of) {
        input.value = about;
        showValue(card, about, () => null);
      }
      of = about;
      const path = `/contacts/${encodeURIComponent(about)}/card`;
      // The time of day is no news of a contact.
      const { now: _, ...shown } = await callTenant<ContactCard>('GET', path);
      showValue(card, shown, cardOf);
    },
  };
}

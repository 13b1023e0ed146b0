/** Shows all that is known of a contact, section by section. */
import { h, pluralize, section } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { relativeTime } from '../ui/relative-time.ts';
import { formatDateTime } from '../ui/timestamps.ts';
import { fieldList, rowTable } from '../ui/row-fields.ts';
import type { RowFields } from '../ui/row-fields.ts';
import type { ContactCard, ContactPointsJson } from '../api/api-types.ts';
import { pointChanges } from './point-changes.ts';
import type { FindingsByRequest } from './point-changes.ts';
import { marksOf, pointsPlot } from './points-plot.ts';

/** Holds all that the view shows of a contact at a moment. */
export interface ShownContact {
  readonly card: ContactCard;
  readonly points: ContactPointsJson;
  readonly findings: FindingsByRequest;
}

interface Part {
  readonly totalCount: number;
  readonly items: readonly RowFields[];
}

const listPart = (title: string, { totalCount, items }: Part): Child =>
  totalCount > 0 &&
  section(`${title} (${items.length < totalCount ? `${items.length} of ${totalCount}` : totalCount})`, rowTable(items));

const legend = (): HTMLElement =>
  h(
    'p',
    { class: 'legend', 'aria-hidden': 'true' },
    h('span', { class: 'active' }, '━ active'),
    h('span', { class: 'pending' }, '┅ pending'),
    h('span', { class: 'ahead' }, '┄ if nothing more happens'),
    h('span', { class: 'expiry' }, '▼ expires'),
    h('span', { class: 'receipts' }, '● receipt'),
    h('span', { class: 'offers' }, '◆ promotion'),
  );

/** Says what expires next, and when. */
function expiryLine({ expiring }: ContactPointsJson['accounts'][number], now: string): Child {
  const next = expiring.find(({ at }) => at > now);
  if (!next) return null;
  const { at, amount } = next;
  const when = h('time', { datetime: at, title: `${formatDateTime(at)} UTC`, class: 'later' }, relativeTime(at, now));
  return h('p', { class: 'faint' }, `${pluralize(amount, 'point')} ${amount === 1 ? 'expires' : 'expire'} `, when);
}

function accountSection({ card, points, findings }: ShownContact, place: number): Child {
  const { transactions, ...account } = card.pointAccounts[place] ?? {};
  const series = points.accounts[place];
  if (!series || !transactions) return null;
  const { balance, pendingPoints } = card.pointAccounts[place] ?? {};
  return section(
    `Points: ${series.definition}`,
    h(
      'p',
      { class: 'balance' },
      h('strong', {}, String(balance)),
      ' active',
      pendingPoints ? `, ${pendingPoints} pending` : '',
    ),
    expiryLine(series, points.now),
    pointsPlot(series, marksOf(card), points.now),
    legend(),
    pointChanges(series.changes, points.now, findings),
    h(
      'details',
      {},
      h('summary', {}, 'The account as the service has it'),
      fieldList(account),
      rowTable(transactions.items),
    ),
  );
}

const partOf = (part: Part | readonly RowFields[]): Part =>
  'items' in part ? part : { totalCount: part.length, items: part };

/** Returns the title of a part of the card: `Reward vouchers` for `rewardVouchers`. */
const titleOf = (name: string): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the name that heads the card. */
function nameOf({ id, contact: { attributes } }: ContactCard): string {
  const name = [attributes['firstName'], attributes['lastName']].filter(Boolean).join(' ');
  return name || String(attributes['email'] ?? attributes['memberNumber'] ?? id);
}

/** Shows a contact: the points first, since most questions are about them. */
export function contactSections(shown: ShownContact): Child {
  const { id, integerId, now: _, contact, pointAccounts, pointHistory, ...parts } = shown.card;
  return [
    h('h2', {}, nameOf(shown.card)),
    pointAccounts.map((_account, place) => accountSection(shown, place)),
    section('Contact', fieldList({ id, integerId, ...contact.attributes, ...contact, attributes: undefined })),
    pointHistory &&
      listPart('History of the point master', { totalCount: pointHistory.items.length, items: pointHistory.items }),
    pointHistory?.note && h('p', { class: 'faint' }, pointHistory.note),
    Object.entries<Part | readonly RowFields[]>(parts).map(([name, part]) => listPart(titleOf(name), partOf(part))),
  ];
}

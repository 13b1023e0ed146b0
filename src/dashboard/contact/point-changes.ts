/** Lists what changed the points of an account, and says which changes should not have been. */
import { chip, collapsible, h, requestLink } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { formatDateTime } from '../ui/timestamps.ts';
import type { ContactPointsJson, Verdict } from '../api/api-types.ts';
import { relativeTime } from '../ui/relative-time.ts';
import { byHarm } from '../verdict/finding-order.ts';

type Change = ContactPointsJson['accounts'][number]['changes'][number];

/** Maps requests to what the verdict found about them. */
export type FindingsByRequest = ReadonlyMap<string, readonly string[]>;

/** Returns the failures of a verdict by the requests that they are about. */
export function findingsByRequest({ operations }: Pick<Verdict, 'operations'>): FindingsByRequest {
  const byRequest = new Map<string, string[]>();
  const failures = operations
    .flatMap(({ findings }) => findings)
    .filter(({ level }) => level === 'fail')
    .toSorted(byHarm);
  for (const { rule, message, requests } of failures) {
    for (const id of requests) byRequest.set(id, [...(byRequest.get(id) ?? []), `${rule}: ${message}`]);
  }
  return byRequest;
}

/** Says in words what the service only names by a key. */
const reasons: Readonly<Record<string, string>> = {
  '@@(Bonus.Points)': 'points for a purchase',
  '@@(Bonus.DeductionForDiscount)': 'less, for its discount',
  '@@(ConvertedToBonusCheck)': 'turned into a reward voucher',
  '@@(RemovedDueToTimeLimit)': 'expired',
};

const reasonOf = ({ description, source }: Change): string =>
  description === null ? source : (reasons[description] ?? description);

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

function changeRow(change: Change, now: string, findings: FindingsByRequest): HTMLElement {
  const { at, amount, validFrom, request } = change;
  const wrong = request === null ? [] : (findings.get(request) ?? []);
  const isPending = validFrom !== null && validFrom > now;
  return h(
    'tr',
    { class: wrong.length === 0 ? '' : 'wrong' },
    h('td', {}, h('time', { datetime: at, title: `${formatDateTime(at)} UTC`, class: 'later' }, relativeTime(at, now))),
    h('td', { class: amount < 0 ? 'loss' : 'gain' }, signed(amount)),
    h(
      'td',
      {},
      reasonOf(change),
      isPending && [' ', chip(`active ${relativeTime(validFrom, now)}`, 'pending')],
      wrong.map((finding) => h('p', { class: 'finding fail' }, h('span', {}, `✗ ${finding}`))),
    ),
    h('td', {}, request !== null && requestLink(request)),
  );
}

/** Limits the changes that are shown at once. */
const most = 12;

const table = (rows: readonly HTMLElement[]): HTMLElement =>
  h(
    'div',
    { class: 'table' },
    h(
      'table',
      { class: 'point-changes' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['When', 'Points', 'Why', 'Request'].map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h('tbody', {}, rows),
    ),
  );

/** Lists the changes, the newest first. */
export function pointChanges(changes: readonly Change[], now: string, findings: FindingsByRequest): Child {
  const rows = changes.toReversed().map((change) => changeRow(change, now, findings));
  const older = rows.slice(most);
  return [
    rows.length > 0 && table(rows.slice(0, most)),
    older.length > 0 && collapsible(`${older.length} older changes`, table(older)),
  ];
}

/** Shows the verdict: expectations, rules, and each operation with its attempts and findings. */
import { formatSummary } from '../../format/verdict-summary.ts';
import {
  formatAttempt,
  formatBasis,
  formatClockChange,
  formatRecoveries,
  levelMarks,
  operationTitle,
  statusMarks,
} from '../../format/timeline.ts';
import { readContactNames, withContactNames } from '../contact/contact-names.ts';
import type { ContactNames } from '../contact/contact-names.ts';
import { requestLink, h, pluralize, section } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { renderItems, renderValue } from '../ui/items.ts';
import { explanation } from '../verdict/explanation.ts';
import { byHarm } from '../verdict/finding-order.ts';
import { requestTenant } from '../api/client.ts';
import type { ShownOperation, Verdict } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';

const ranks = { FAIL: 0, INCONCLUSIVE: 1, PASS: 2 } as const;
/** Limits the operations that are shown in full. */
const most = 50;

type VerdictStatus = Verdict['verdict'];
type Attempt = ShownOperation['attempts'][number];

const marked = (verdict: VerdictStatus): HTMLElement =>
  h('span', { class: `mark ${verdict.toLowerCase()}`, title: verdict }, statusMarks[verdict]);

interface CheckRow {
  readonly what: string;
  readonly verdict: VerdictStatus;
  readonly reason: string;
  readonly requests: readonly string[];
}

const lineItem = ({ what, verdict, reason, requests }: CheckRow): HTMLElement =>
  h(
    'li',
    {},
    marked(verdict),
    h(
      'div',
      {},
      h('strong', {}, what),
      h(
        'p',
        {},
        reason,
        requests.map((id) => [' ', requestLink(id)]),
      ),
    ),
  );

function linesOf(title: string, lines: readonly CheckRow[]): Child {
  return lines.length > 0 && section(title, h('ul', { class: 'findings' }, lines.map(lineItem)));
}

const ruleLine = ({ id, description, verdict, reason }: Verdict['rules'][number]): CheckRow => ({
  what: description ?? id,
  verdict,
  reason,
  requests: [],
});

const checkLine = ({ description, verdict, reason, requests }: Verdict['checks'][number]): CheckRow => ({
  what: description,
  verdict,
  reason,
  requests,
});

/** Shows an attempt in the words of the command line, with a link to its request. */
function attemptItem(attempt: Attempt, place: number): HTMLElement {
  const start = `${place + 1}. ${attempt.request}`;
  return h(
    'li',
    {},
    formatClockChange(attempt).map((line) => h('p', { class: 'faint' }, line)),
    h('span', { class: 'since' }, `+${Math.round(attempt.startedAt)} ms`),
    h(
      'span',
      {},
      `${place + 1}. `,
      requestLink(attempt.request),
      formatAttempt(attempt, place + 1).slice(start.length),
    ),
  );
}

const findingItem = (
  { rule, level, message, basis }: ShownOperation['findings'][number],
  names: ContactNames,
): HTMLElement =>
  h(
    'div',
    { class: `finding ${level}` },
    h('p', {}, `${levelMarks[level]} ${rule}: `, h('span', {}, withContactNames(message, names))),
    h('p', { class: 'faint' }, formatBasis(basis)),
  );

/** Shows an operation: first what is wrong and what would be right, then what came about. */
function operationItem(operation: ShownOperation, names: ContactNames): HTMLElement {
  const { verdict, attempts } = operation;
  const findings = operation.findings.toSorted(byHarm);
  const advice = [...new Set(findings.filter(({ level }) => level !== 'note').map((finding) => finding.advice))];
  return h(
    'article',
    { class: 'operation' },
    h('h4', {}, marked(verdict), ' ', operationTitle(operation)),
    findings.map((finding) => findingItem(finding, names)),
    advice.map((line) => h('p', { class: 'advice' }, `→ ${line}`)),
    h('ol', { class: 'attempts' }, attempts.map(attemptItem)),
    explanation(operation, names),
  );
}

function rest(operations: readonly ShownOperation[], shown: number): Child {
  const [right, more] = [operations.filter(({ findings }) => findings.length === 0).length, shown - most];
  return [
    operations.length === 0 && h('p', { class: 'faint' }, 'No requests yet.'),
    more > 0 && h('p', { class: 'faint' }, `… and ${more} more; loyalty-sim verify shows them all.`),
    right > 0 && h('p', { class: 'faint' }, `${pluralize(right, 'operation')} without findings.`),
  ];
}

/** True when the reason of a verdict only repeats what stands below it. */
function isRepeatedBelow({ verdict, checks, rules, operations }: Verdict): boolean {
  const below = [...checks, ...rules, ...operations.filter(({ findings }) => findings.length > 0)];
  return verdict !== 'PASS' && below.some((one) => one.verdict === verdict);
}

const headOf = (verdict: Verdict): Child => [
  h('p', { class: `word ${verdict.verdict.toLowerCase()}` }, verdict.verdict),
  !isRepeatedBelow(verdict) && h('p', {}, verdict.reason),
  h('p', { class: 'faint' }, formatSummary(verdict)),
];

type Plan = Pick<Verdict, 'checks' | 'rules'>;

/** Returns the expectations and rules of a verdict that are met, or those that are not. */
const planOf = ({ checks, rules }: Plan, isMet: boolean): Plan => ({
  checks: checks.filter(({ verdict }) => (verdict === 'PASS') === isMet),
  rules: rules.filter(({ verdict }) => (verdict === 'PASS') === isMet),
});

const planPart = ({ checks, rules }: Plan): Child => [
  linesOf('Expectations', checks.map(checkLine)),
  linesOf('Rules', rules.map(ruleLine)),
];

/** Shows the faults that the client got over. */
const recoveryPart = (operations: readonly ShownOperation[]): Child => {
  const lines = formatRecoveries(operations);
  return (
    lines.length > 0 &&
    section(
      'Faults that were got over',
      h(
        'ul',
        { class: 'findings' },
        lines.map((line) => h('li', {}, marked('PASS'), h('span', {}, line))),
      ),
    )
  );
};

/** Returns the operations with findings, the worst first. */
const worstFirst = (operations: readonly ShownOperation[]): ShownOperation[] =>
  operations
    .filter(({ findings }) => findings.length > 0)
    .toSorted((left, right) => ranks[left.verdict] - ranks[right.verdict]);

export function verdictView(onVerdict: (verdict: Verdict) => void): View {
  const head = h('div', { class: 'verdict-head', role: 'status' });
  const [unmet, met, list, foot, recoveries] = [h('div'), h('div'), h('div'), h('div'), h('div')];
  return {
    name: 'verdict',
    title: 'Verdict',
    element: h('div', { class: 'verdict' }, head, unmet, section('Operations', list, foot), recoveries, met),
    refreshOn: /^(request\.(completed|updated)|journal|scenario|state|snapshot|tenant|webhook|stream|clock)/,
    refresh: async () => {
      const verdict = await requestTenant<Verdict>('GET', '/verdict');
      const { operations } = verdict;
      const said = worstFirst(operations);
      const shown = said.slice(0, most);
      onVerdict(verdict);
      const names = await readContactNames(shown.flatMap(({ findings }) => findings.map(({ message }) => message)));
      renderValue(head, { ...verdict, operations: [] }, () => headOf(verdict));
      renderValue(unmet, planOf(verdict, false), planPart);
      renderValue(met, planOf(verdict, true), planPart);
      renderItems(list, shown, {
        key: ({ attempts }) => attempts[0]?.request ?? '',
        render: (operation) => operationItem(operation, names),
      });
      renderValue(recoveries, formatRecoveries(operations), () => recoveryPart(operations));
      renderValue(foot, [operations.length, said.length], () => rest(operations, said.length));
    },
  };
}

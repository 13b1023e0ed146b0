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
import { requestLink, h, pluralize, section } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { renderItems, renderValue } from '../ui/items.ts';
import { explanation } from '../verdict/explanation.ts';
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

const findingItem = ({ rule, level, message, basis }: ShownOperation['findings'][number]): HTMLElement =>
  h(
    'div',
    { class: `finding ${level}` },
    h('p', {}, `${levelMarks[level]} ${rule}: ${message}`),
    h('p', { class: 'faint' }, formatBasis(basis)),
  );

function operationItem(operation: ShownOperation): HTMLElement {
  const { verdict, attempts, findings } = operation;
  const advice = [...new Set(findings.filter(({ level }) => level !== 'note').map((finding) => finding.advice))];
  return h(
    'article',
    { class: 'operation' },
    h('h4', {}, marked(verdict), ' ', operationTitle(operation)),
    h('ol', { class: 'attempts' }, attempts.map(attemptItem)),
    findings.map(findingItem),
    advice.map((line) => h('p', { class: 'advice' }, `→ ${line}`)),
    explanation(operation),
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

const headOf = (verdict: Verdict): Child => [
  h('p', { class: `word ${verdict.verdict.toLowerCase()}` }, verdict.verdict),
  h('p', {}, verdict.reason),
  h('p', { class: 'faint' }, formatSummary(verdict)),
];

const planOf = ({ checks, rules }: Pick<Verdict, 'checks' | 'rules'>): Child => [
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
  const [plan, list, foot, recoveries] = [h('div'), h('div'), h('div'), h('div')];
  return {
    name: 'verdict',
    title: 'Verdict',
    element: h('div', { class: 'verdict' }, head, plan, recoveries, section('Operations', list, foot)),
    refreshOn: /^(request\.(completed|updated)|journal|scenario|state|snapshot|tenant|webhook|stream|clock)/,
    refresh: async () => {
      const verdict = await requestTenant<Verdict>('GET', '/verdict');
      const { operations, checks, rules } = verdict;
      const said = worstFirst(operations);
      onVerdict(verdict);
      renderValue(head, { ...verdict, operations: [] }, () => headOf(verdict));
      renderValue(plan, { checks, rules }, planOf);
      renderItems(list, said.slice(0, most), {
        key: ({ attempts }) => attempts[0]?.request ?? '',
        render: operationItem,
      });
      renderValue(recoveries, formatRecoveries(operations), () => recoveryPart(operations));
      renderValue(foot, [operations.length, said.length], () => rest(operations, said.length));
    },
  };
}

/** The verdict with its sentences: what was expected, and how each operation was carried through. */
import { summaryOf } from '../verdict/summary.ts';
import { attemptWords, clockLine, titleOf } from '../verdict/timeline.ts';
import { linkToCall, make, plural, section } from './elements.ts';
import type { Child } from './elements.ts';
import { showItems, showValue } from './items.ts';
import { callTenant } from './service.ts';
import type { ShownOperation, Verdict } from './shown.ts';
import type { View } from './view.ts';

const marks = { PASS: '✓', FAIL: '✗', INCONCLUSIVE: '?' } as const;
const weights = { fail: '✗', inconclusive: '?', remark: '·' } as const;
const ranks = { FAIL: 0, INCONCLUSIVE: 1, PASS: 2 } as const;
/** So many operations are shown in full. */
const most = 50;

type Word = Verdict['verdict'];
type Attempt = ShownOperation['attempts'][number];

const marked = (verdict: Word): HTMLElement =>
  make('span', { class: `mark ${verdict.toLowerCase()}`, title: verdict }, marks[verdict]);

interface Line {
  readonly what: string;
  readonly verdict: Word;
  readonly reason: string;
  readonly calls: readonly string[];
}

const lineItem = ({ what, verdict, reason, calls }: Line): HTMLElement =>
  make(
    'li',
    {},
    marked(verdict),
    make(
      'div',
      {},
      make('strong', {}, what),
      make(
        'p',
        {},
        reason,
        calls.map((id) => [' ', linkToCall(id)]),
      ),
    ),
  );

function linesOf(title: string, lines: readonly Line[]): Child {
  return lines.length > 0 && section(title, make('ul', { class: 'findings' }, lines.map(lineItem)));
}

const ruleLine = ({ id, description, verdict, reason }: Verdict['rules'][number]): Line => ({
  what: description ?? id,
  verdict,
  reason,
  calls: [],
});

const checkLine = ({ description, verdict, reason, calls }: Verdict['checks'][number]): Line => ({
  what: description,
  verdict,
  reason,
  calls,
});

/** The words of the command line, with a link to the call. */
function attemptItem(attempt: Attempt, place: number): HTMLElement {
  const start = `${place + 1}. ${attempt.request}`;
  return make(
    'li',
    {},
    clockLine(attempt).map((line) => make('p', { class: 'faint' }, line)),
    make('span', { class: 'since' }, `+${Math.round(attempt.startedAt)} ms`),
    make(
      'span',
      {},
      `${place + 1}. `,
      linkToCall(attempt.request),
      attemptWords(attempt, place + 1).slice(start.length),
    ),
  );
}

const findingItem = ({ rule, weight, message, sentence }: ShownOperation['findings'][number]): HTMLElement =>
  make(
    'div',
    { class: `finding ${weight}` },
    make('p', {}, `${weights[weight]} ${rule}: ${message}`),
    make('p', { class: 'faint' }, sentence),
  );

function operationItem(operation: ShownOperation): HTMLElement {
  const { verdict, attempts, findings } = operation;
  const advice = [...new Set(findings.filter(({ weight }) => weight !== 'remark').map((finding) => finding.advice))];
  return make(
    'article',
    { class: 'operation' },
    make('h4', {}, marked(verdict), ' ', titleOf(operation)),
    make('ol', { class: 'attempts' }, attempts.map(attemptItem)),
    findings.map(findingItem),
    advice.map((line) => make('p', { class: 'advice' }, `→ ${line}`)),
  );
}

function rest(operations: readonly ShownOperation[], shown: number): Child {
  const [right, more] = [operations.filter(({ findings }) => findings.length === 0).length, shown - most];
  return [
    operations.length === 0 && make('p', { class: 'faint' }, 'No calls yet.'),
    more > 0 && make('p', { class: 'faint' }, `… and ${more} more; loyalty-sim verify shows them all.`),
    right > 0 && make('p', { class: 'faint' }, `${plural(right, 'operation')} of which there is nothing to say.`),
  ];
}

const headOf = (verdict: Verdict): Child => [
  make('p', { class: `word ${verdict.verdict.toLowerCase()}` }, verdict.verdict),
  make('p', {}, verdict.reason),
  make('p', { class: 'faint' }, summaryOf(verdict)),
];

const planOf = ({ checks, rules }: Pick<Verdict, 'checks' | 'rules'>): Child => [
  linesOf('Expectations', checks.map(checkLine)),
  linesOf('Rules', rules.map(ruleLine)),
];

/** Those of which there is something to say, the worst first. */
const worstFirst = (operations: readonly ShownOperation[]): ShownOperation[] =>
  operations
    .filter(({ findings }) => findings.length > 0)
    .toSorted((left, right) => ranks[left.verdict] - ranks[right.verdict]);

export function verdictView(onWord: (word: Word) => void): View {
  const head = make('div', { class: 'verdict-head', role: 'status' });
  const [plan, list, foot] = [make('div'), make('div'), make('div')];
  return {
    name: 'verdict',
    title: 'Verdict',
    element: make('div', { class: 'verdict' }, head, plan, section('Operations', list, foot)),
    staleBy: /^(exchange\.(answered|changed)|journal|scenario|state|tenant|webhook|stream|clock)/,
    refresh: async () => {
      const verdict = await callTenant<Verdict>('GET', '/verdict');
      const { operations, checks, rules } = verdict;
      const said = worstFirst(operations);
      onWord(verdict.verdict);
      showValue(head, { ...verdict, operations: [] }, () => headOf(verdict));
      showValue(plan, { checks, rules }, planOf);
      showItems(list, said.slice(0, most), {
        key: ({ attempts }) => attempts[0]?.request ?? '',
        look: operationItem,
      });
      showValue(foot, [operations.length, said.length], () => rest(operations, said.length));
    },
  };
}

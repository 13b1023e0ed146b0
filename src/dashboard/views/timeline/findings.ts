/** Names the operations that went wrong, as a way into the timeline. */
import { levelMarks } from '../../../format/timeline.ts';
import type { ShownOperation, Verdict } from '../../api/api-types.ts';
import { readContactNames, withContactNames } from '../../contact/contact-names.ts';
import type { ContactNames } from '../../contact/contact-names.ts';
import { addressOf } from '../../ui/address.ts';
import { button, h } from '../../ui/elements.ts';
import { renderValue } from '../../ui/items.ts';
import { byHarm } from '../../verdict/finding-order.ts';

/** Limits the findings that are named; the verdict names all. */
const most = 3;

export interface NamedFinding {
  readonly operation: ShownOperation;
  readonly finding: ShownOperation['findings'][number];
}

/** Returns the findings that fail or leave the verdict open, the worst first. */
const worstFirst = (operations: readonly ShownOperation[]): NamedFinding[] =>
  operations
    .flatMap((operation) => operation.findings.map((finding) => ({ operation, finding })))
    .filter(({ finding }) => finding.level !== 'note')
    .toSorted((a, b) => byHarm(a.finding, b.finding));

/** Creates the list; `onSelect` gets the finding that was pressed. */
export function findingStrip(onSelect: (named: NamedFinding) => Promise<void>) {
  const element = h('ul', { class: 'strip', 'aria-label': 'What went wrong', hidden: '' });
  const buttons = new Map<HTMLElement, NamedFinding>();
  let newest: Verdict | undefined;
  let marked: NamedFinding | undefined;
  const isMarked = ({ finding }: NamedFinding): boolean =>
    marked?.finding.rule === finding.rule && marked.finding.message === finding.message;
  const showMark = (): void => {
    for (const [select, named] of buttons) select.setAttribute('aria-pressed', String(isMarked(named)));
  };
  const item = (named: NamedFinding, names: ContactNames): HTMLElement => {
    const { finding } = named;
    const select = button(`${levelMarks[finding.level]} ${finding.rule}: `, () => onSelect(named), {
      title: 'Show its attempts',
    });
    select.append(h('span', {}, withContactNames(finding.message, names)));
    buttons.set(select, named);
    return h('li', { class: finding.level }, select);
  };
  return {
    element,
    show: async (verdict: Verdict): Promise<void> => {
      newest = verdict;
      const found = worstFirst(verdict.operations);
      const named = found.slice(0, most);
      const names = await readContactNames(named.map(({ finding }) => finding.message));
      if (verdict !== newest) return;
      renderValue(element, [found, verdict.verdict, [...names]], () => {
        buttons.clear();
        return [
          named.map((one) => item(one, names)),
          found.length > most &&
            h('li', {}, h('a', { href: addressOf('verdict') }, `and ${found.length - most} more in the verdict`)),
        ];
      });
      element.hidden = found.length === 0;
      showMark();
    },
    /** Marks the finding whose requests are shown; undefined marks none. */
    mark: (shown: NamedFinding | undefined): void => {
      marked = shown;
      showMark();
    },
  };
}

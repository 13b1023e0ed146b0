/** Names the operations that went wrong, as a way into the timeline. */
import { levelMarks } from '../../../format/timeline.ts';
import type { ShownOperation, Verdict } from '../../api/api-types.ts';
import { addressOf } from '../../ui/address.ts';
import { button, h } from '../../ui/elements.ts';
import { renderValue } from '../../ui/items.ts';

/** Limits the findings that are named; the verdict names all. */
const most = 3;
const ranks = { fail: 0, inconclusive: 1, note: 2 } as const;

export interface NamedFinding {
  readonly operation: ShownOperation;
  readonly finding: ShownOperation['findings'][number];
}

/** Returns the findings that fail or leave the verdict open, the worst first. */
const worstFirst = (operations: readonly ShownOperation[]): NamedFinding[] =>
  operations
    .flatMap((operation) => operation.findings.map((finding) => ({ operation, finding })))
    .filter(({ finding }) => finding.level !== 'note')
    .toSorted((a, b) => ranks[a.finding.level] - ranks[b.finding.level]);

/** Creates the list; `onSelect` gets the finding that was pressed. */
export function findingStrip(onSelect: (named: NamedFinding) => Promise<void>) {
  const element = h('ul', { class: 'strip', 'aria-label': 'What went wrong' });
  const item = (named: NamedFinding): HTMLElement => {
    const { finding } = named;
    return h(
      'li',
      { class: finding.level },
      button(`${levelMarks[finding.level]} ${finding.rule}: ${finding.message}`, () => onSelect(named), {
        title: 'Show its attempts',
      }),
    );
  };
  return {
    element,
    show: ({ operations, verdict }: Verdict): void => {
      const found = worstFirst(operations);
      renderValue(element, [found, verdict], () => [
        found.slice(0, most).map(item),
        found.length > most &&
          h('li', {}, h('a', { href: addressOf('verdict') }, `and ${found.length - most} more in the verdict`)),
      ]);
      element.hidden = found.length === 0;
    },
  };
}

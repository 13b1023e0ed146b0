/** Shows changes of rows as a difference: what was before and what is now, by noun. */
import { chip, collapsible, formatInline, requestLink, h, pluralize } from '../ui/elements.ts';
import { moment } from '../ui/moments.ts';
import { formatDateTime } from '../ui/timestamps.ts';
import type { Child } from '../ui/elements.ts';
import type { EffectJson, ExecutedJobJson } from '../api/api-types.ts';
import { groupEffects, splitFields, sumsOf } from './effect-groups.ts';
import type { EffectGroup } from './effect-groups.ts';

type Field = readonly [name: string, change: EffectJson['fields'][string]];

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

export const effectList = (effects: readonly EffectJson[]): Child =>
  effects.length === 0
    ? h('p', { class: 'faint' }, 'Nothing was changed.')
    : h('div', { class: 'effects' }, groupEffects(effects).map(groupItem));

const signed = (sum: number): string => (sum < 0 ? `−${-sum}` : `+${sum}`);

const groupItem = ({ title, effects }: EffectGroup): HTMLElement =>
  h(
    'section',
    { class: 'effect-group' },
    h(
      'h4',
      {},
      title,
      sumsOf(effects).map(([unit, sum]) => h('strong', { class: 'sum' }, ` ${signed(sum)} ${unit}`)),
    ),
    effects.map(effectItem),
  );

function effectItem(effect: EffectJson): HTMLElement {
  const { table, key, change } = effect;
  const { main, rest } = splitFields(effect);
  return h(
    'div',
    { class: 'effect' },
    h('p', {}, chip(change, change), ` ${table} `, h('code', { class: 'faint' }, key)),
    main.length > 0 && h('table', { class: 'diff' }, h('tbody', {}, main.map(fieldRow))),
    rest.length > 0 &&
      collapsible(
        `${main.length > 0 ? 'and ' : ''}${pluralize(rest.length, 'field')}`,
        h('table', { class: 'diff' }, h('tbody', {}, rest.map(fieldRow))),
      ),
  );
}

const fieldRow = ([name, { from, to }]: Field): HTMLElement =>
  h(
    'tr',
    {},
    h('th', { scope: 'row' }, name.replace(/^attributes\./, '')),
    h(
      'td',
      {},
      from !== undefined && [h('del', {}, words(from)), ' → '],
      to === undefined ? '–' : h('ins', {}, words(to)),
    ),
  );

const words = (value: unknown): string =>
  typeof value === 'string' && timestamp.test(value) ? formatDateTime(value) : formatInline(value);

/** Shows a job that was executed, with its effects. */
export const executedJobItem = ({ at, kind, exchange, effects, warnings, error }: ExecutedJobJson): HTMLElement =>
  h(
    'li',
    {},
    moment(at),
    ` · ${kind}`,
    exchange !== null && [' for ', requestLink(exchange)],
    error === null
      ? h('span', { class: 'faint' }, ` ${pluralize(effects.length, 'effect')}`)
      : [' ', chip(`failed: ${error}`, 'failed')],
    warnings.map(({ message }) => h('p', { class: 'faint' }, message)),
    effects.length > 0 && h('details', {}, h('summary', {}, 'what it did'), effectList(effects)),
  );

/** Shows changes of rows, field by field. */
import { chip, formatInline, requestLink, h, pluralize } from '../ui/elements.ts';
import { formatDateTime } from '../ui/timestamps.ts';
import type { Child } from '../ui/elements.ts';
import type { EffectJson, ExecutedJobJson } from '../api/api-types.ts';

export const effectList = (effects: readonly EffectJson[]): Child =>
  effects.length === 0
    ? h('p', { class: 'faint' }, 'Nothing was changed.')
    : h('ul', { class: 'effects' }, effects.map(effectItem));

const effectItem = ({ table, key, change, fields }: EffectJson): HTMLElement =>
  h(
    'li',
    {},
    chip(change, change),
    ` ${table} `,
    h('code', {}, key),
    h(
      'ul',
      {},
      Object.entries(fields).map(([name, field]) => h('li', {}, `${name}: `, changeWords(field))),
    ),
  );

function changeWords({ from, to }: EffectJson['fields'][string]): Child {
  const after = h('code', {}, to === undefined ? '–' : formatInline(to));
  return from === undefined ? after : [h('code', {}, formatInline(from)), ' → ', after];
}

/** Shows a job that was executed, with its effects. */
export const executedJobItem = ({ at, kind, exchange, effects, warnings, error }: ExecutedJobJson): HTMLElement =>
  h(
    'li',
    {},
    `${formatDateTime(at)} ${kind}`,
    exchange !== null && [' for ', requestLink(exchange)],
    error === null
      ? h('span', { class: 'faint' }, ` ${pluralize(effects.length, 'effect')}`)
      : [' ', chip(`failed: ${error}`, 'failed')],
    warnings.map(({ message }) => h('p', { class: 'faint' }, message)),
    effects.length > 0 && h('details', {}, h('summary', {}, 'what it did'), effectList(effects)),
  );

/** Explains an operation step by step: what was sent, what became of it, what the client knew, and what it should have done. */
import { formatBasis, formatClockChange, formatLength } from '../../format/timeline.ts';
import { withContactNames } from '../contact/contact-names.ts';
import type { ContactNames } from '../contact/contact-names.ts';
import { collapsible, h, pluralize, requestLink } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import type { ShownOperation } from '../api/api-types.ts';
import { byHarm } from './finding-order.ts';

type Attempt = ShownOperation['attempts'][number];
type Finding = ShownOperation['findings'][number];

/** Says what a client knows after each way in which an attempt can end. */
const knowledge: Readonly<Record<Attempt['outcome'], string>> = {
  success: 'that the work is done',
  invalid: 'that the request is wrong: the same request is refused again',
  rejected: 'that the service refused it, and did nothing',
  throttled: 'that it came too often: nothing is done, and a later attempt may pass',
  'server-error': 'not whether the work is done: an error can come before or after it',
  'no-response': 'not whether the work is done: no response came',
  'in-flight': 'nothing yet: it still waits',
};

/** Says how safe it is to send a request again, by its retry class. */
const repeats: Readonly<Record<string, string>> = {
  safe: 'It only reads: it may be sent again at any time.',
  idempotent: 'Sent again with the same content, it changes nothing more.',
  keyed: 'Sent again with the same key, it is done once; with another key, it is done twice.',
  unkeyed: 'It has no key: sent again, it is done again. Read first whether it was done, then repeat.',
  once: 'It is done once: a second attempt is refused, which means that the first one worked.',
};

const wireOf = ({ end, fault }: Attempt): string =>
  fault ? `${end}; the fault ${fault.rule} hit it ${fault.phase} the work` : end;

function serviceOf({ effects, webhooks, fault }: Attempt): string {
  const sent = webhooks.map(({ eventType, status }) => `webhook ${eventType} ${status}`);
  const changed = effects > 0 ? `changed ${pluralize(effects, 'row')}` : 'changed nothing';
  const why = effects === 0 && fault?.phase === 'before' ? ', as the fault came before its work' : '';
  return [`${changed}${why}`, ...sent].join('; ');
}

const fact = (name: string, ...value: readonly Child[]): HTMLElement =>
  h('div', {}, h('dt', {}, name), h('dd', {}, value));

const shortfall = ({ rule, title, message, advice, basis }: Finding, names: ContactNames): HTMLElement =>
  h(
    'div',
    { class: 'shortfall' },
    h('p', {}, h('strong', {}, rule), ` (${title}): `, h('span', {}, withContactNames(message, names))),
    h('p', {}, `It should: ${advice}`),
    h('p', { class: 'faint' }, formatBasis(basis)),
  );

function step(
  attempt: Attempt,
  place: number,
  { requestLine, findings }: ShownOperation,
  names: ContactNames,
): HTMLElement {
  const { request, pause, outcome, transparentRetry } = attempt;
  const waited =
    pause === null
      ? ''
      : pause < 0
        ? ', before the attempt before had ended'
        : `, after a pause of ${formatLength(pause)}`;
  const own = findings.filter(({ level, requests }) => level !== 'note' && requests.at(-1) === request);
  return h(
    'li',
    {},
    formatClockChange(attempt).map((line) => h('p', { class: 'faint' }, line)),
    h(
      'dl',
      {},
      fact(
        `Attempt ${place + 1}`,
        requestLink(request),
        ` ${requestLine}${waited}${transparentRetry ? ' (by the HTTP library, not by the client)' : ''}`,
      ),
      fact('On the wire', wireOf(attempt)),
      fact('The service', serviceOf(attempt)),
      fact('The client knew', knowledge[outcome]),
    ),
    own.map((one) => shortfall(one, names)),
  );
}

/** Explains an operation, folded under a title. */
export function explanation(operation: ShownOperation, names: ContactNames): HTMLElement {
  const { attempts, retry } = operation;
  const findings = operation.findings.toSorted(byHarm);
  const shown = new Set(attempts.map(({ request }) => request));
  const others = findings.filter(({ level, requests }) => level !== 'note' && !shown.has(requests.at(-1) ?? ''));
  return collapsible(
    'Step by step',
    retry !== null && h('p', {}, repeats[retry] ?? ''),
    h(
      'ol',
      { class: 'steps' },
      attempts.map((attempt, place) => step(attempt, place, { ...operation, findings }, names)),
    ),
    others.map((one) => shortfall(one, names)),
  );
}

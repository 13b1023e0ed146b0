/** Acts on a request: copies it, sends it again, makes a fault happen to the next one, keeps that as a file. */
import { addressOf } from '../ui/address.ts';
import { download, savedFile } from '../ui/download.ts';
import { button, h, replaceContent, reportErrors, requestLink, section, select } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { requestTenant } from '../api/client.ts';
import type { CurlJson, ExchangeJson, ExchangeLineJson, RequestScenarioJson } from '../api/api-types.ts';
import { phases, readFaultChoices } from '../views/fault-form.ts';
import { outcomeTable, received } from './outcomes.ts';
import { tryInBranch } from './try-in-branch.ts';

const shells = [
  ['posix', 'bash'],
  ['powershell', 'PowerShell'],
  ['cmd', 'cmd'],
] as const;

/** Stands for the fault that hit the request itself. */
const sameFault = 'same';

/** Shows what an action did. */
type Say = (...words: readonly Child[]) => void;

/** Puts a text into the clipboard; a page that is not served from this machine may not. */
async function copied(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied:';
  } catch {
    return 'Copy this:';
  }
}

/** Creates the part of a request's card that acts on it. */
export function requestActions(exchange: ExchangeJson): HTMLElement {
  const path = `/requests/${encodeURIComponent(exchange.id)}`;
  const result = h('div', { class: 'action-result', role: 'status' });
  const say: Say = (...words) => replaceContent(result, ...words);
  const copy = async (shell: keyof CurlJson): Promise<void> => {
    const line = (await requestTenant<CurlJson>('GET', `${path}/curl`))[shell];
    if (line === null)
      say(`The body has line breaks or other control characters, which no line for this shell can hold.`);
    else say(h('p', {}, await copied(line)), h('pre', { tabindex: '0' }, line));
  };
  const replay = async (key: 'same' | 'new'): Promise<void> => {
    const line = await requestTenant<ExchangeLineJson>('POST', `${path}/replay`, { body: { key } });
    say(h('p', {}, 'Sent as ', requestLink(line.id), `: ${received(line)}.`));
  };
  return section(
    'Again',
    h(
      'p',
      { class: 'actions' },
      button('Send again', () => replay('same'), { title: 'With the same key: another attempt of the same operation' }),
      button('Send with a new key', () => replay('new'), { title: 'As another operation' }),
      h('span', { class: 'faint' }, 'Copy as curl for'),
      shells.map(([shell, name]) => button(name, () => copy(shell), { 'aria-label': `Copy as curl for ${name}` })),
    ),
    faultActions(exchange, say),
    result,
  );
}

/** Creates the choice of a fault: the one that hit the request, or another. */
function faultChoice({ fault: hit }: ExchangeJson) {
  const kind = select({ 'aria-label': 'Which fault' }, hit ? [[sameFault, 'the same fault']] : []);
  const phase = select({ 'aria-label': 'When' }, phases);
  phase.value = 'after';
  const choices = new Map<string, Readonly<Record<string, unknown>>>();
  const togglePhase = (): void => {
    phase.hidden = kind.value === sameFault;
  };
  kind.addEventListener('change', togglePhase);
  void reportErrors(async () => {
    for (const { value, label, fault } of await readFaultChoices()) {
      // A late response takes a delay, which there is no field for here.
      if (value === 'late') continue;
      choices.set(value, fault);
      kind.append(h('option', { value }, label));
    }
    togglePhase();
  });
  return {
    element: h('p', { class: 'actions' }, h('span', { class: 'faint' }, 'With'), kind, phase),
    /** Returns the body of the call that writes a scenario. */
    body: (): object => (kind.value === sameFault ? {} : { fault: { ...choices.get(kind.value), phase: phase.value } }),
  };
}

function faultActions(exchange: ExchangeJson, say: Say): HTMLElement {
  const { id, endpoint, method, path } = exchange;
  const choice = faultChoice(exchange);
  const written = (): Promise<RequestScenarioJson> =>
    requestTenant('POST', `/requests/${encodeURIComponent(id)}/scenario`, { body: choice.body() });
  const next = async (): Promise<void> => {
    const { rule } = await written();
    const added = await requestTenant<{ id: string }>('POST', '/faults', { body: rule });
    const link = h('a', { href: addressOf('faults') }, `Faults`);
    say(
      h(
        'p',
        {},
        `The next ${endpoint ?? `${method} ${path}`} meets it: rule ${added.id}, which is listed under `,
        link,
        '.',
      ),
      // What stands in the file is the request itself, rather than one like it.
      h('p', { class: 'actions' }, button('Save as scenario', save)),
    );
  };
  const save = async (): Promise<void> => {
    const scenario = await written();
    download(scenario);
    say(savedFile(scenario));
  };
  const attempt = async (): Promise<void> => {
    const { rule } = await written();
    const { tenant, outcomes } = await tryInBranch(exchange, rule ?? {});
    const link = h('a', { href: `#${encodeURIComponent(tenant)}/requests` }, tenant);
    say(h('p', {}, 'Tried in the tenant ', link, ', branched right before this request:'), outcomeTable(outcomes));
  };
  return h(
    'div',
    { class: 'fault-actions', role: 'group', 'aria-label': 'A fault' },
    choice.element,
    h(
      'p',
      { class: 'actions' },
      button('Make it happen next time', next),
      button('Save as scenario', save),
      button('Try it in a branch', attempt),
    ),
  );
}

/** Creates elements of the page. Every text is set as text, never as HTML: anybody may have sent it. */
import { addressOf } from './address.ts';

export type Child = Node | string | null | undefined | false | readonly Child[];
type Attributes = Readonly<Record<string, string | undefined>>;

function put(parent: Element, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (typeof child === 'string' || child instanceof Node) parent.append(child);
  else for (const one of child) put(parent, one);
}

/** Creates an element with attributes and children; an undefined attribute is left out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  put(element, children);
  return element;
}

/** Replaces everything in an element. */
export function replaceContent(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  put(element, children);
}

let showError: (message: string) => void = () => {};

/** Sets how errors are shown. */
export function onError(show: (message: string) => void): void {
  showError = show;
}

/** Runs work and shows its error, if any. */
export async function reportErrors(work: () => Promise<unknown> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    showError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs an action of the user; hides the error of the action before. */
function act(work: () => Promise<unknown> | void): Promise<void> {
  showError('');
  return reportErrors(work);
}

/** Creates a button; while its work is running, pressing it again does nothing. */
export function button(
  label: string,
  work: () => Promise<unknown> | void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', () => {
    if (element.hasAttribute('aria-busy')) return;
    element.setAttribute('aria-busy', 'true');
    void act(work).finally(() => element.removeAttribute('aria-busy'));
  });
  return element;
}

/** Creates a form whose work gets the values of its fields by name. */
export function form(
  attributes: Attributes,
  work: (fields: FormData) => Promise<unknown> | void,
  ...children: readonly Child[]
) {
  const element = h('form', attributes, ...children);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void act(() => work(new FormData(element)));
  });
  return element;
}

/** Returns the trimmed text of a field; blank if there is none. */
export const fieldText = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

/** Labels an input. */
export const field = (name: string, input: Child): HTMLLabelElement =>
  h('label', { class: 'field' }, h('span', {}, name), input);

export const select = (
  attributes: Attributes,
  options: readonly (readonly [value: string, label: string])[],
): HTMLSelectElement => h('select', attributes, ...options.map(([value, label]) => h('option', { value }, label)));

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Formats a value on one line. */
export const formatInline = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Folds content under a title. */
export const collapsible = (title: Child, ...children: readonly Child[]): HTMLDetailsElement =>
  h('details', {}, h('summary', {}, title), ...children);

export const section = (title: string, ...children: readonly Child[]): HTMLElement =>
  h('section', {}, h('h3', {}, title), ...children);

export const chip = (text: string, kind = ''): HTMLSpanElement => h('span', { class: `chip ${kind}` }, text);

/** Links to a request in the view of requests. */
export const requestLink = (id: string): HTMLAnchorElement => h('a', { href: addressOf('requests', id) }, id);

export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

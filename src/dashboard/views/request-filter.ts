/** Reads from the user which requests to show. */
import { h, select } from '../ui/elements.ts';
import type { RequestQuery } from '../api/request-pages.ts';
import type { Filter } from '../ui/filter-chips.ts';
import { shortened } from '../ui/shortened.ts';

const kinds = [
  ['any', 'Any response'],
  ['2xx', 'Success'],
  ['4xx', 'Rejected (4xx)'],
  ['5xx', 'Server error (5xx)'],
  ['none', 'No response'],
  ['in-flight', 'In flight'],
] as const;

const faults = [
  ['', 'With or without fault'],
  ['any', 'With a fault'],
  ['none', 'Without a fault'],
] as const;

/** Waits so many ms after the last key before it searches. */
const typingPause = 200;

const statusQuery = (kind: string): RequestQuery => {
  if (kind === 'any') return {};
  return kind === 'in-flight' ? { inFlight: 'only' } : { status: kind };
};

const chosen = ({ selectedOptions: [option] }: HTMLSelectElement): string => option?.textContent ?? '';

/** Creates the fields of a filter; `onChange` gets it as query parameters of the control API. */
export function requestFilter(onChange: (query: RequestQuery) => void) {
  const text = h('input', {
    type: 'search',
    placeholder: 'Search: path, key, contact, anything in a body   ( / )',
    'aria-label': 'Search requests',
    autocomplete: 'off',
    maxlength: '200',
  });
  const kind = select({ 'aria-label': 'Response' }, kinds);
  const fault = select({ 'aria-label': 'Fault' }, faults);
  const read = (): RequestQuery => ({
    ...(text.value.trim() !== '' && { search: text.value.trim() }),
    ...statusQuery(kind.value),
    ...(fault.value !== '' && { fault: fault.value }),
  });
  let typed: ReturnType<typeof setTimeout> | undefined;
  const change = (): void => onChange(read());
  text.addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(change, typingPause);
  });
  for (const field of [kind, fault]) field.addEventListener('input', change);
  const reset = (field: HTMLInputElement | HTMLSelectElement): void => {
    clearTimeout(typed);
    field.value = field === kind ? 'any' : '';
    change();
  };
  return {
    fields: [text, kind, fault],
    /** Returns what the fields filter by. */
    filters: (): Filter[] => {
      const { search, fault: wanted, ...response } = read();
      return [
        search !== undefined && { label: `“${shortened(search)}”`, remove: () => reset(text) },
        Object.keys(response).length > 0 && { label: chosen(kind), remove: () => reset(kind) },
        wanted !== undefined && { label: chosen(fault), remove: () => reset(fault) },
      ].filter((one) => one !== false);
    },
    /** Empties all fields. */
    clear: (): void => {
      if (Object.keys(read()).length === 0) return;
      [text.value, fault.value] = ['', ''];
      reset(kind);
    },
  };
}

/** Keeps personal data out of logs. Ids stay, because a log without them is of no use. */

export const redactionMark = '(hidden)';

const address = /[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/g;
const guid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
// Personal, telephone and card numbers: eight digits or more, however they are grouped; Finnish ones have a letter.
const longNumber = /(?<![\w-])(?:\+?\d(?:[\s().+-]{0,2}\d){7,}|\d{6}[-+A-FU-Y]\d{3}[0-9A-Y])(?![\w-])/gi;

/** Replaces addresses and long numbers in free text. */
export const redactText = (text: string): string =>
  // Ids are split off first, so that their digits are not taken for a number.
  splitOffIds(text)
    .map(({ part, isId }) =>
      isId ? part : part.replaceAll(address, redactionMark).replaceAll(longNumber, redactionMark),
    )
    .join('');

function splitOffIds(text: string): { readonly part: string; readonly isId: boolean }[] {
  const ids = text.match(guid) ?? [];
  return text.split(guid).flatMap((part, i) => {
    const id = ids[i];
    return id === undefined
      ? [{ part, isId: false }]
      : [
          { part, isId: false },
          { part: id, isId: true },
        ];
  });
}

/** Lists the fields of `loyalty.addPoints` that describe the adjustment and not a person. */
const harmlessTexts = new Set([
  'source',
  'workflowName',
  'description',
  'reason',
  'eventType',
  'type',
  'status',
  'currency',
]);

const isShort = /^[\w:.+-]{1,40}$/;

/** Returns a payload with field names, ids, numbers and time stamps; other texts stay only in fields known as harmless. */
export function redactPayload(payload: unknown, name = ''): unknown {
  if (typeof payload === 'string') return redactField(payload, name);
  if (Array.isArray(payload)) return payload.map((item) => redactPayload(item, name));
  if (typeof payload !== 'object' || payload === null) return payload;
  return Object.fromEntries(Object.entries(payload).map(([field, value]) => [field, redactPayload(value, field)]));
}

function redactField(text: string, name: string): string {
  if (harmlessTexts.has(name)) return redactText(text);
  const isId =
    text.replace(guid, '') === '' || (/(?:Id|^id)$/.test(name) && isShort.test(text) && redactText(text) === text);
  const isTimestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  return isId || isTimestamp ? text : redactionMark;
}

/** Reads a file and checks all of it before anything is imported, so that nothing of a refused one is. */
import type { FieldError } from '../core/exchange/api-error.ts';
import type { TenantContext } from '../core/tenant/context.ts';
import { finishInTurns } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { importErrors, readReceipt } from '../service/imports/operations.ts';
import type { ImportNote } from '../service/imports/tables.ts';
import { receiptBody } from '../service/receipts/schema.ts';
import type { ReceiptBody } from '../service/receipts/schema.ts';
import { FileRefusal, readTransactions } from './transactions-file.ts';
import type { FileContent } from './transactions-file.ts';
import { readElement } from './xml-values.ts';
import type { XmlElement, XmlValue } from './xml-values.ts';

/** Limits the receipts of one file, or its lines. */
const maxRows = 20_000;
const maxNotes = 100;

/** Collects notes, the first of them word by word. */
export class NoteList {
  readonly notes: ImportNote[] = [];
  omitted = 0;

  /** Makes a note, unless there are enough of them. */
  add(make: () => ImportNote): void {
    if (this.notes.length < maxNotes) this.notes.push(make());
    else this.omitted++;
  }
}

/** Holds a receipt that can be imported, and where it begins. */
export interface CheckedReceipt {
  /** Holds its body as JSON: thousands of them wait for the end of their file, and a text is one object. */
  readonly json: string;
  /** Counts its items. */
  readonly items: number;
  readonly line: number;
  readonly column: number;
}

export interface CheckedFile extends FileContent {
  readonly receipts: readonly CheckedReceipt[];
  readonly notes: NoteList;
  /** Counts the receipts that are refused by themselves. */
  readonly refused: number;
}

/** Returns the receipts of a file. Throws `FileRefusal` with the first thing that is wrong with it. */
export async function checkFile(tenant: TenantContext, path: string): Promise<CheckedFile> {
  const check = new FileCheck(tenant);
  const content = await readTransactions(path, (elements) => finishInTurns(check.take(elements)));
  const { receipts, notes, refused } = check;
  return { ...content, receipts, notes, refused };
}

class FileCheck {
  readonly receipts: CheckedReceipt[] = [];
  readonly notes = new NoteList();
  refused = 0;
  readonly #tenant: TenantContext;
  readonly #variant: string;
  #rows = 0;
  #keyType: { readonly name: string; readonly line: number } | undefined;

  constructor(tenant: TenantContext) {
    this.#tenant = tenant;
    this.#variant = tenant.settings.assumptions['A-67'] ?? 'default';
  }

  *take(elements: readonly XmlElement[]): Steps {
    for (const element of elements) {
      yield* this.#takeOne(element);
      yield;
    }
  }

  *#takeOne(element: XmlElement): Steps {
    const { json, errors: misread, locate } = readElement(receiptBody, element);
    yield;
    const { body, errors, unread } = yield* readReceipt(this.#tenant, json);
    const id = receiptIdOf(json);
    const noteOf = (code: string, { field, errorDescription }: FieldError): ImportNote => {
      const { line, column } = locate(field);
      return {
        code,
        message: `${field === '' ? 'the receipt' : field} ${errorDescription}`,
        line,
        column,
        uniqueReceiptId: id,
      };
    };
    this.#countRows(element, body);
    for (const error of unread) this.notes.add(() => noteOf('unknown-element', error));
    // Thousands may be wrong, most of which are counted alone.
    const wrong = [...misread, ...errors].map((error) => () => noteOf('invalid-receipt', error));
    const more = body ? importErrors(this.#tenant, body) : [];
    for (const error of more) wrong.push(() => noteOf(codeOf(error), error));
    if (body) this.#checkKeyType(body, locate);
    const [first] = wrong;
    if (!first && body) {
      const { line, column } = element;
      this.receipts.push({ json: JSON.stringify(body), items: body.items.length, line, column });
      return;
    }
    if (this.#variant !== 'row' && first) throw refusalOf(first());
    this.refused++;
    for (const note of wrong) this.notes.add(note);
  }

  #countRows(element: XmlElement, body: ReceiptBody | undefined): void {
    const isByLine = this.#variant === 'lines';
    this.#rows += isByLine ? Math.max(1, body?.items.length ?? 1) : 1;
    if (this.#rows <= maxRows) return;
    const rows = isByLine ? 'lines of receipts' : 'receipts';
    throw new FileRefusal(
      'too-many-receipts',
      `has more than ${maxRows} ${rows}; split it into several files`,
      element,
    );
  }

  #checkKeyType({ contact: { matchKeyType } }: ReceiptBody, locate: XmlValue['locate']): void {
    if (matchKeyType === this.#keyType?.name) return;
    const element = locate('contact.matchKeyType');
    this.#keyType ??= { name: matchKeyType, line: element.line };
    const { name, line } = this.#keyType;
    if (name === matchKeyType) return;
    const message =
      `names a contact by ${matchKeyType}, and by ${name} on line ${line}: ` +
      'a file has one matchKeyType; split it into one file for each';
    throw new FileRefusal('mixed-match-key-types', message, element);
  }
}

const codeOf = ({ field }: FieldError): string => (field === 'storeExternalId' ? 'unknown-store' : 'invalid-receipt');

function refusalOf({ code, message, line, column, uniqueReceiptId }: ImportNote): FileRefusal {
  const receipt = uniqueReceiptId === null ? '' : ` (receipt ${uniqueReceiptId})`;
  return new FileRefusal(code, `holds a receipt that is refused${receipt}: ${message}`, {
    ...(line !== null && { line }),
    ...(column !== null && { column }),
  });
}

function receiptIdOf(json: unknown): string | null {
  const id = typeof json === 'object' && json !== null && 'uniqueReceiptId' in json ? json.uniqueReceiptId : undefined;
  return typeof id === 'string' ? id : null;
}

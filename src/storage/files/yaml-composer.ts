/**
 * Composes YAML in parts, so that others have their turn in between: the library composes a document at once. Of a long list or
 * object some items at a time are composed as a document of their own, and a token that stands for them takes their place. The
 * library reports that token as an error, which shows where the errors of these items belong.
 */
import { Composer, isCollection, isPair } from 'yaml';
import type { CST, Document, YAMLError } from 'yaml';
import type { Steps } from '../../core/time/steps.ts';

/** Counts the tokens that are composed at once: it takes a few ms. */
const tokensAtOnce = 500;

/** A text takes as long as one more token for each time that it has so many characters. */
const longSource = 256;

const composing = {
  // Whoever reads the document reports repeated keys, in time that grows with their number only.
  uniqueKeys: false,
  stringKeys: true,
  resolveKnownTags: false,
  logLevel: 'error',
  // A list or object is known by its token when the items that were composed before are put into it.
  keepSourceTokens: true,
} as const;

type CollectionToken = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

/** Holds what was composed of the first items of a list or object. */
interface Part {
  /** Tells the error about the token that stands for these items from all others. */
  readonly name: string;
  readonly items: unknown[];
  /** Holds errors in the order of the library, those about tokens that stand for other items among them. */
  readonly errors: YAMLError[];
}

/** Holds a document, and everything that the library finds wrong with it. */
export interface ComposedDocument {
  readonly document: Document.Parsed;
  readonly problems: readonly YAMLError[];
}

/** Composes a document, of which there is one even where a text holds nothing. */
export const composeInSteps = (
  tokens: readonly CST.Token[],
  length: number,
  atOnce = tokensAtOnce,
): Steps<ComposedDocument> => new PartComposer(atOnce).compose(tokens, length);

/** Holds a token without most of what was in it, which is composed, and the size of the rest. */
interface Lightened {
  readonly token: CST.Token;
  readonly size: number;
}

class PartComposer {
  readonly #atOnce: number;
  readonly #partsByName = new Map<string, Part>();
  readonly #partsByToken = new Map<unknown, Part>();
  readonly #warnings: YAMLError[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  *compose(tokens: readonly CST.Token[], length: number): Steps<ComposedDocument> {
    const light: CST.Token[] = [];
    for (const token of tokens) {
      if (token.type !== 'document' || !token.value) {
        light.push(token);
        continue;
      }
      const value = yield* this.#lighten(token.value);
      light.push({ ...token, value: value.token });
    }
    const [document] = new Composer(composing).compose(light, true, length);
    if (!document) throw new Error('no document was composed');
    this.#putBack(document.contents);
    const errors: YAMLError[] = [];
    yield* this.#collectErrors(document.errors, errors);
    // The library marks a document as parsed by its type only.
    return { document: document as Document.Parsed, problems: errors.concat(this.#warnings, document.warnings) };
  }

  *#lighten(token: CST.Token): Steps<Lightened> {
    if (!('items' in token)) return { token, size: sizeOf(token) };
    const lastCut = isCuttable(token) ? token.items.length - 2 : -1;
    let [items, size, part]: [CST.CollectionItem[], number, Part | undefined] = [[], 1, undefined];
    for (const [i, item] of token.items.entries()) {
      const value = item.value && isComposed(item, token) && (yield* this.#lighten(item.value));
      size += 1 + item.start.length + (item.sep?.length ?? 0) + (value ? value.size : 0);
      items.push(value ? ({ ...item, value: value.token } as CST.CollectionItem) : item);
      if (size < this.#atOnce || i > lastCut) continue;
      part ??= this.#newPart();
      const end = this.#composeItems(part, withItems(token, items));
      [items, size] = [[standIn(token, part.name, end)], 1];
      yield;
    }
    const light = withItems(token, items);
    if (part) this.#partsByToken.set(light, part);
    return { token: light, size };
  }

  #newPart(): Part {
    const part: Part = { name: `part ${this.#partsByName.size + 1}`, items: [], errors: [] };
    this.#partsByName.set(part.name, part);
    return part;
  }

  /** Composes items, and adds them to the part that the first one stands for if it is not the first part. Returns their end. */
  #composeItems(part: Part, token: CollectionToken): number {
    const known = isStandIn(token.items[0], part.name) ? 1 : 0;
    // An item follows, so that none of these is taken for the last one, which may be empty.
    const open = withItems(token, [...token.items, { start: [] }]);
    const value = open.type === 'flow-collection' ? { ...open, end: [] } : open;
    const [document] = new Composer(composing).compose([{ type: 'document', offset: token.offset, start: [], value }]);
    if (!document || !isCollection(document.contents)) throw new Error('no list or object was composed');
    const { contents, errors, warnings } = document;
    this.#putBack(contents);
    for (const item of contents.items.slice(known)) part.items.push(item);
    // The bracket at its end is missing here, which the library reports last.
    const found = value.type === 'flow-collection' ? errors.slice(known, -1) : errors.slice(known);
    for (const error of found) part.errors.push(error);
    for (const warning of warnings) this.#warnings.push(warning);
    return contents.range?.[1] ?? token.offset;
  }

  /** Puts the items of parts in the place of what stands for them. */
  #putBack(node: unknown): void {
    if (isPair(node)) {
      this.#putBack(node.key);
      this.#putBack(node.value);
    }
    if (!isCollection(node)) return;
    for (const item of node.items) this.#putBack(item);
    const part = this.#partsByToken.get(node.srcToken);
    if (part) node.items = part.items.concat(node.items.slice(1));
  }

  *#collectErrors(errors: readonly YAMLError[], collected: YAMLError[]): Steps {
    for (const error of errors) {
      if (collected.length % errorsAtOnce === 0) yield;
      const part = this.#partsByName.get(error.message);
      if (part) yield* this.#collectErrors(part.errors, collected);
      else collected.push(error);
    }
  }
}

const errorsAtOnce = 500;

const sizeOf = (token: CST.Token): number => 1 + ('source' in token ? Math.floor(token.source.length / longSource) : 0);

/** Returns a copy of a list or object with other items of its kind. */
const withItems = (token: CollectionToken, items: readonly CST.CollectionItem[]): CollectionToken =>
  ({ ...token, items }) as CollectionToken;

/** False for a list or object without brackets in which something else than an item is between the items, as damage leaves it. */
const isCuttable = (token: CollectionToken): boolean =>
  token.type === 'flow-collection' || token.items.slice(0, -1).every(isItem);

const isItem = ({ start, sep, value }: CST.CollectionItem): boolean =>
  sep !== undefined || value !== undefined || start.some(({ type }) => type === 'seq-item-ind');

/** False for a value that the library passes over: one in an object without brackets that has no colon before it. */
const isComposed = ({ sep = [] }: CST.CollectionItem, { type }: CollectionToken): boolean =>
  type !== 'block-map' || sep.some((token) => token.type === 'map-value-ind');

/** Returns an item that stands for others, which end at an offset. */
function standIn(token: CollectionToken, name: string, end: number): CST.CollectionItem {
  const { offset, indent } = token;
  const value: CST.Token = { type: 'error', offset: end, source: '', message: name };
  if (token.type === 'block-seq') return { start: [{ type: 'seq-item-ind', offset, indent, source: '-' }], value };
  const isList = token.type === 'flow-collection' && token.start.source === '[';
  return isList
    ? { start: [], value }
    : { start: [], sep: [{ type: 'map-value-ind', offset, indent, source: ':' }], value };
}

const isStandIn = (item: CST.CollectionItem | undefined, name: string): boolean =>
  item?.value?.type === 'error' && item.value.message === name;

import * as z from '../validation/deferred-zod.ts';
import type { EndpointInput } from './endpoint.ts';
import { fieldsOfSent, rowsOfSent } from './subject.ts';
import type { SentFields } from './subject.ts';
import type { OrderedList } from '../state/ordered-list.ts';

/** Limits a page that names no count. */
const defaultCount = 100;
const maxCount = 1000;

/** Returns a whole number in a query, where everything is text. */
export const integerParameter = (least: number) => {
  const error = `must be a whole number from ${least}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error });
};

/** Declares the query parameters of a paged list. */
export const pageQuery = {
  offset: integerParameter(0).default(0).describe('Skips this many items'),
  count: integerParameter(1).default(defaultCount).describe(`Returns this many items, at most ${maxCount}`),
};

export const linkSchema = z
  .object({ id: z.string(), href: z.string(), method: z.string(), rel: z.string() })
  .meta({ id: 'Link' });

export type Link = z.infer<typeof linkSchema>;

/** Returns the envelope of a paged list. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    links: z.array(linkSchema),
    count: z.number().int(),
    offset: z.number().int(),
    items: z.array(item),
    totalCount: z.number().int(),
  });

export interface Page<Item> {
  readonly links: readonly Link[];
  readonly count: number;
  readonly offset: number;
  readonly items: readonly Item[];
  readonly totalCount: number;
}

/** Returns what a list shows, whether it comes in an envelope or bare; anything else shows itself. */
export function itemsShown(shown: unknown): SentFields[] {
  const { items } = fieldsOfSent(shown);
  return rowsOfSent(Array.isArray(items) ? items : shown);
}

interface PageRange {
  readonly offset: number;
  readonly count: number;
}

interface PageOptions<Item> {
  readonly self: EndpointInput<unknown, unknown>['self'];
  readonly page: PageRange;
  readonly totalCount: number;
  /** Returns the items of the page; asked for no more than may be returned. */
  readonly items: (page: PageRange) => readonly Item[];
  /** Holds the variant of A-06: `requested` shows the count that was requested instead of the number of items. */
  readonly counts: string;
}

/** Returns one page of a list with links to itself and its neighbours. */
export function paginate<Item>({ self, page, totalCount, items, counts }: PageOptions<Item>): Page<Item> {
  const { offset } = page;
  const count = Math.min(page.count, maxCount);
  const found = items({ offset, count });
  const linkTo = (rel: string, from: number): Link => {
    const query = new URLSearchParams({ ...self.query, offset: String(from), count: String(count) });
    return { id: '', href: `${self.path}?${query}`, method: 'GET', rel };
  };
  const links = [linkTo('self', offset)];
  if (offset > 0) links.push(linkTo('previous', Math.max(0, offset - count)));
  if (offset + found.length < totalCount) links.push(linkTo('next', offset + count));
  return { links, count: counts === 'requested' ? count : found.length, offset, items: found, totalCount };
}

/** Returns the keys of a page of a list, the latest first. */
export const newestFirst = (list: OrderedList, { offset, count }: PageRange): string[] =>
  list.page(offset, count, 'descending');

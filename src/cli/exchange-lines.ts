/** Requests that a simulator answered: which ones are meant, and how they are shown. */
import * as z from 'zod';
import type { SimFlags } from './admin-client.ts';

/** Flags that say which requests are meant. */
export interface FilterFlags extends SimFlags {
  readonly method?: string;
  readonly path?: string;
  readonly status?: string;
  readonly endpoint?: string;
  readonly contains?: string;
  readonly since?: string;
  readonly warnings?: boolean;
}

const exchangeSchema = z.looseObject({
  number: z.int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  status: z.int().nullable(),
  ms: z.number().nullable(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

export type ExchangeLine = z.infer<typeof exchangeSchema>;

export const exchangesSchema = z.looseObject({
  count: z.int(),
  complete: z.boolean(),
  evicted: z.int(),
  cursor: z.int(),
  items: z.array(exchangeSchema),
});

export const filterQuery = ({ method, path, status, endpoint, contains, since, warnings }: FilterFlags) => ({
  method,
  path,
  status,
  endpoint,
  contains,
  since,
  warnings: warnings === undefined ? undefined : String(warnings),
});

/** A line for the request, and one for each of its warnings. */
export function exchangeLines({ number, at, method, path, query, status, ms, warnings }: ExchangeLine): string[] {
  const target = query === '' ? path : `${path}?${query}`;
  return [
    `${number}  ${at}  ${method} ${target}  ${status ?? '---'}  ${ms ?? '-'} ms`,
    ...warnings.map(({ code, message }) => `     ${code}: ${message}`),
  ];
}

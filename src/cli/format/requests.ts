/** Selects requests that a simulator received, and formats them. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { formatResponseStatus } from '../../format/response-status.ts';

/** Holds the flags that select requests. */
export interface RequestFilterFlags extends RemoteFlags {
  readonly method?: string;
  readonly path?: string;
  readonly status?: string;
  readonly endpoint?: string;
  readonly contains?: string;
  readonly since?: string;
  readonly warnings?: boolean;
  readonly fault?: string;
}

const exchangeSchema = z.looseObject({
  number: z.int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  status: z.int().nullable(),
  responseStatus: z.int().nullable(),
  end: z.string().nullable(),
  fault: z.looseObject({ rule: z.string() }).nullable(),
  ms: z.number().nullable(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

export type ListedRequest = z.infer<typeof exchangeSchema>;

export const requestListSchema = z.looseObject({
  count: z.int(),
  complete: z.boolean(),
  evicted: z.int(),
  cursor: z.int(),
  items: z.array(exchangeSchema),
});

export const filterQuery = ({
  method,
  path,
  status,
  endpoint,
  contains,
  since,
  warnings,
  fault,
}: RequestFilterFlags) => ({
  method,
  path,
  status,
  endpoint,
  contains,
  since,
  fault,
  warnings: warnings === undefined ? undefined : String(warnings),
});

/** Returns a line for the request, and one for each of its warnings. */
export function formatListedRequest(exchange: ListedRequest): string[] {
  const { number, at, method, path, query, fault, ms, warnings } = exchange;
  const target = query === '' ? path : `${path}?${query}`;
  const result = [formatResponseStatus(exchange), ...(fault ? [`rule ${fault.rule}`] : [])].join('  ');
  return [
    `${number}  ${at}  ${method} ${target}  ${result}  ${ms ?? '-'} ms`,
    ...warnings.map(({ code, message }) => `     ${code}: ${message}`),
  ];
}

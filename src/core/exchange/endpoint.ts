import type * as z from 'zod';
import type { FieldError } from './api-error.ts';
import type { RequiredFields } from '../validation/required-fields.ts';
import type { TenantContext } from '../tenant/context.ts';
import type { RowChange } from '../state/state.ts';
import type { FieldSetting, SentContent, Subject, WorkPiece } from './subject.ts';

/** Says what a repeated request does to the service when the first response was lost. */
export type RetryClass = 'safe' | 'idempotent' | 'keyed' | 'unkeyed' | 'once';

export interface ApiResponse {
  readonly status: number;
  /** Is sent as JSON, unless it is a text that is sent as it is. */
  readonly body: unknown;
  /** True for a body that is plain text. */
  readonly isText?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export const apiResponse = (status: number, body: unknown): ApiResponse => ({ status, body });

/** True for more items than are done in one turn of the event loop. */
export const isLongList = ({ length }: readonly unknown[]): boolean => length > 100;

/** Returns a response that is plain text. */
export const textResponse = (status: number, body: string): ApiResponse => ({ status, body, isText: true });

/** Holds what an endpoint's handler gets: everything is parsed by the endpoint's own schemas. */
export interface EndpointInput<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Holds the headers that the endpoint reads, as far as they were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Holds the path that was called, tenant prefix included, and its query: for links to other pages. */
  readonly self: { readonly path: string; readonly query: Readonly<Record<string, string>> };
}

/** Describes a request that works on the default fixture as it stands: shown in OpenAPI, and sent by a test. */
export interface EndpointExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
}

/** Names the table whose rows a list shows. */
export interface ListedRows {
  readonly table: string;
  /** Returns the ids under which the list may show a row (default: the key of the row). */
  readonly idsOf?: (context: TenantContext, row: never) => readonly unknown[];
  /** Names the query parameters by which a caller asks for some of the rows only. */
  readonly filters?: readonly string[];
  /** True when a caller asked for rows that are like this one: if it is not shown, it has changed. */
  readonly isAskedFor?: (context: TenantContext, query: SentContent['query'], row: never) => boolean;
}

export interface BodyRules<Context> {
  /** Names the error for a body that is empty, unreadable or no object (default: `ValidationError` and its kin). */
  readonly unreadable?: 'NoData';
  /** True when the request may come without a body. */
  readonly optional?: boolean;
  /** Limits the items of a body that is a list: with more it is refused with `TooManyItems`, whatever they are. */
  readonly maxItems?: number;
  /** Limits the characters of a text in the body (default: as everywhere). */
  readonly maxTextLength?: number;
  /** Returns field names that a tenant knows beyond the schema's, at the top of the body or of each of its items. */
  readonly extraFields?: (context: Context) => ReadonlySet<string>;
  /** Returns the fields that an assumption requires in addition to the schema. */
  readonly required?: (assumption: (id: string) => string) => RequiredFields | undefined;
  /** Returns the errors that depend on how a tenant is set up, which no schema can find. */
  readonly extraErrors?: (context: Context, sent: unknown) => readonly FieldError[];
  /** Maps names of an earlier version to what they are called now. */
  readonly renamedFields?: Readonly<Record<string, string>>;
}

export interface EndpointDefinition<Context, Query extends z.ZodType, Body extends z.ZodType, Result = ApiResponse> {
  /** Holds a verb and a noun, unique: `createContact`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Has `{params}` as in the specification. */
  readonly path: string;
  /** Lists other paths that reach the same endpoint. */
  readonly aliases?: readonly string[];
  /** Holds the specification's section. */
  readonly tag: string;
  readonly summary: string;
  readonly query?: Query;
  /** Names the headers that it reads, in lower case, and says what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly bodyRules?: BodyRules<Context>;
  /** Describes the body where its rows are checked one by one, and `body` takes any (default: `body`). */
  readonly documentedBody?: z.ZodType;
  /** Holds the body's schema by status; null when the status carries an empty object. */
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** Lists codes from the catalogue that this endpoint may refuse with, apart from those that every endpoint may. */
  readonly errors?: readonly string[];
  /** Holds the assumptions that every response of it rests on; others are noted as they are met. */
  readonly assumptions?: readonly string[];
  /** Holds the media type of the response (default: JSON). A stream of events ends when its reader has gone. */
  readonly mediaType?: 'text/event-stream';
  /** True when the caller can have the response as plain text instead. */
  readonly hasText?: boolean;
  readonly retry: RetryClass;
  /** Names the place of the key that identifies an operation, if a request carries one: body field, header or path. */
  readonly idempotencyKey?: 'path' | `body.${string}` | `header.${string}`;
  /** Holds the endpoints by which a caller can see whether it took effect. */
  readonly readBack?: readonly string[];
  /** Returns the things that a request names, for the verdict; a read that has no subjects is about everything. */
  readonly subjects?: (sent: SentContent) => readonly Subject[];
  /** Returns what a write asks for, piece by piece, to recognize it in another form. */
  readonly work?: (sent: SentContent) => readonly WorkPiece[];
  /** Returns the fields that a write sets, in the order in which it sets them: a newer write may replace them. */
  readonly sets?: (sent: SentContent) => readonly FieldSetting[];
  /**
   * True when the response to a read shows the state that a request asks for, whatever brought it about: nothing is left
   * to do. Belongs to writes that set something, not to those that add.
   */
  readonly isShownIn?: (context: TenantContext, sent: SentContent, shown: unknown) => boolean;
  /**
   * Says what has brought in what the key of a write names, other than its requests: `the receipt came in by file`. Their own
   * changes are named by their tables, for what may have come in both ways.
   */
  readonly broughtOtherwise?: (
    context: TenantContext,
    key: string,
    changedTables: ReadonlySet<string>,
  ) => string | undefined;
  /** Names that state where it is no field that the request sets: `the used coupon`. */
  readonly wanted?: string;
  /** Says of a list whose rows its pages hold, so that one that was left out can be missed. */
  readonly lists?: ListedRows;
  /** True when the response to a read can show that a row was changed (default: any change). */
  readonly canShow?: (sent: SentContent, change: RowChange) => boolean;
  /** Returns what the response to a read shows, where its body alone does not say it (default: the body). */
  readonly shows?: (sent: SentContent, body: unknown) => unknown;
  /** True when a response says that the service refused a part of the request, such as rows of a bulk. */
  readonly isPartial?: (body: unknown) => boolean;
  /** True for a request that the service refuses when it has taken effect before: what it creates has a key. */
  readonly refusesRepeat?: (sent: SentContent) => boolean;
  /** Returns the endpoint that a request is judged by where an assumption gives it another meaning (default: this one). */
  readonly judgedBy?: (context: TenantContext, sent: SentContent) => Endpoint;
  readonly deprecated?: boolean;
  readonly examples: readonly EndpointExample[];
  /** True for a body whose work takes so long that others have their turn in between. */
  readonly isLong?: (body: z.output<Body>) => boolean;
  readonly handle: (context: Context, input: EndpointInput<z.output<Query>, z.output<Body>>) => Result;
}

/** Describes one way to reach the service, as a value for the router, validator, OpenAPI, journal and tests. */
export interface Endpoint<Context = TenantContext, Result = ApiResponse> extends Omit<
  EndpointDefinition<Context, z.ZodType, z.ZodType>,
  'handle' | 'isLong' | 'query' | 'body'
> {
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
  /** Call both with what the endpoint's own schemas parsed. */
  readonly isLong?: (body: never) => boolean;
  readonly handle: (context: Context, input: EndpointInput<never, never>) => Result;
}

/** Describes an endpoint whose handler may wait, as those of the control API do. */
export type AsyncEndpoint<Context> = Endpoint<Context, ApiResponse | Promise<ApiResponse>>;

/** Defines an endpoint to be described and not called. */
export type AnyEndpoint = Endpoint<never, unknown>;

/** Declares an endpoint of the service; its handler is synchronous, so that a request is one transaction. */
export const endpoint = <Query extends z.ZodType = z.ZodType<undefined>, Body extends z.ZodType = z.ZodType<undefined>>(
  options: EndpointDefinition<TenantContext, Query, Body>,
): Endpoint => options;

/** Declares an endpoint of another context, such as the control API; its handler may return a promise. */
export const endpointFor =
  <Context>() =>
  <Query extends z.ZodType = z.ZodType<undefined>, Body extends z.ZodType = z.ZodType<undefined>>(
    options: EndpointDefinition<Context, Query, Body, ApiResponse | Promise<ApiResponse>>,
  ): AsyncEndpoint<Context> =>
    options;

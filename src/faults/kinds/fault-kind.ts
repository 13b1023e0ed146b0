import type * as z from 'zod';
import type { ConnectionEnd } from '../../core/exchange/fault.ts';

/** Holds a response before a fault changes it. */
export interface FullResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Is null where none may go out: in response to HEAD, or with a status that has none. */
  readonly body: string | null;
}

/** Says how Node's fetch complains about bytes that are no HTTP. */
export interface ParserComplaint {
  readonly code: string;
  readonly message: string;
}

/** Says what goes out in place of a full response. */
export interface AlteredResponse {
  /** Is undefined where not even a status line goes out. */
  readonly head: Pick<FullResponse, 'status' | 'headers'> | undefined;
  readonly body: Uint8Array;
  /** Follows the body on the socket as it stands, against the rules of HTTP. */
  readonly trailer?: string;
  /** True when the client has all that it waits for. */
  readonly isWhole: boolean;
  /** Says what a fetch in process fails with, where that is more than a closed or reset connection. */
  readonly complaint?: ParserComplaint;
}

/** Names what a kind's response is made from. */
export type ResponseSource =
  /** Takes the service's response; the service does its work in either phase. */
  | 'service'
  /** Makes a response of the fault's own. */
  | 'own'
  /** Makes its own with a `status`, otherwise takes what the service responds or would respond. */
  | 'either'
  /** Makes none. */
  | 'none';

export interface FaultShorthand {
  readonly respond: string;
  readonly end?: ConnectionEnd;
}

/** Offers a fault in the dashboard's form. */
interface FormChoice {
  readonly value: string;
  readonly label: string;
  readonly fault: Readonly<Record<string, unknown>>;
}

interface KindInput<Options> {
  /** Holds the fields of the kind's own, as the rule has them. */
  readonly options: Options;
  /** Returns so many bytes of garbage, the same in every run. */
  readonly garbage: (count: number) => Uint8Array;
}

/** Holds the fields of a fault that can contradict each other. */
interface LintedFault<Options> {
  readonly status: number | undefined;
  readonly options: Options;
}

type OptionsOf<Fields extends z.core.$ZodLooseShape> = {
  readonly [Name in keyof Fields]?: z.output<Fields[Name]>;
};

/**
 * Describes one way to respond when a fault hits a request. The rule schema, the diagnostics, the transport, the dashboard
 * and the docs all read it, so a new kind is one file and its line in the list.
 */
export interface FaultKind<
  Name extends string = string,
  Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape,
  Alias extends string = string,
> {
  /** Holds the value of `respond`. */
  readonly name: Name;
  /** Completes a sentence that begins with "Sends". */
  readonly description: string;
  /** Lists names that people know from other tools, each with the fault that it stands for. */
  readonly aliases?: Readonly<Record<Alias, FaultShorthand & { readonly description: string }>>;
  /** Holds the schemas of the fields that only some kinds have. */
  readonly fields: Fields;
  readonly source: ResponseSource;
  /** True when all of the response goes out, so that the connection may be kept. */
  readonly isComplete: boolean;
  /** True when there are bytes to dribble. */
  readonly hasBody: boolean;
  /** Returns what contradicts itself, by field. */
  diagnose?(fault: LintedFault<OptionsOf<Fields>>): readonly { readonly field: string; readonly message: string }[];
  alter(response: FullResponse, input: KindInput<OptionsOf<Fields>>): AlteredResponse;
  readonly example: Readonly<Record<string, unknown>>;
  readonly choices: readonly FormChoice[];
}

/** Keeps the literal types of a kind. */
export const defineFaultKind = <
  const Name extends string,
  const Fields extends z.core.$ZodLooseShape,
  const Alias extends string = never,
>(
  kind: FaultKind<Name, Fields, Alias>,
): FaultKind<Name, Fields, Alias> => kind;

const noBytes = new Uint8Array();

/** True for statuses that come without a body. */
export const hasNoBody = (status: number | undefined): boolean => status === 204 || status === 205 || status === 304;

/** Returns the head of a response and the first bytes of its body; a response without a body is whole. */
export function beginning(
  { status, headers, body }: FullResponse,
  lengthOf: (whole: number) => number,
): AlteredResponse {
  if (body === null) return { head: { status, headers }, body: noBytes, isWhole: true };
  const whole = Buffer.from(body);
  return {
    head: { status, headers: { ...headers, 'content-length': String(whole.length) } },
    body: whole.subarray(0, lengthOf(whole.length)),
    isWhole: false,
  };
}

/** Returns all of a response. */
export const entire = (response: FullResponse): AlteredResponse => ({
  ...beginning(response, (whole) => whole),
  isWhole: true,
});

/** Returns no response. */
export const nothing = (): AlteredResponse => ({ head: undefined, body: noBytes, isWhole: false });

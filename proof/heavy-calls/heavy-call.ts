/** Describes calls that take much work, and sends what goes before them. */
import type { Answer, Call } from '../traffic.ts';

export type Send = (call: Call) => Promise<Answer>;

/** Describes a request of the largest size that the service takes, and what must have been done before it. */
export interface HeavyCall {
  readonly name: string;
  /** True for one that is about a large state in place of the default fixture. */
  readonly isLarge?: boolean;
  /** True for one that is about a point master, which takes all webhooks. */
  readonly isFollowed?: boolean;
  readonly args?: readonly string[];
  readonly prepare?: (send: Send) => Promise<unknown>;
  readonly call: (send: Send) => Promise<Answer>;
  /** True for one that is refused with 400. */
  readonly isRefused?: boolean;
  /** Holds the status of the response, where it is neither a success nor 400. */
  readonly status?: number;
}

export const get = (path: string) => (send: Send) => send({ method: 'GET', path });

export const post = (path: string, body?: unknown) => (send: Send) => send({ method: 'POST', path, body });

export const put = (path: string, body?: unknown) => (send: Send) => send({ method: 'PUT', path, body });

export const patch = (path: string, body?: unknown) => (send: Send) => send({ method: 'PATCH', path, body });

export const times = <T>(count: number, item: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => item(n));

/** Sends as many calls, eight at once unless another number is given. */
export const many =
  (count: number, call: (n: number) => Call, atOnce = 8) =>
  async (send: Send) => {
    const queue = times(count, call)[Symbol.iterator]();
    await Promise.all(
      times(atOnce, async () => {
        for (const one of queue) await send(one);
      }),
    );
  };

/** Does one thing after another; the last one gives the response. */
export const each =
  (...calls: readonly ((send: Send) => Promise<unknown>)[]) =>
  async (send: Send): Promise<void> => {
    for (const call of calls) await call(send);
  };

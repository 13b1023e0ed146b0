/** Calls programs that may be slow, stall in mid-response, respond without an end, or send us elsewhere. */
import { startTimer } from '../time/clock.ts';

/** Holds a time limit that ends with `clear`. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly clear: () => void;
}

/**
 * Returns a signal that aborts with the given one, or with a `TimeoutError` after so many milliseconds. `AbortSignal.any` of a
 * timeout does not serve: Node 20 may collect it as garbage, and then it never aborts.
 */
export function timeLimit(milliseconds: number, signal: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const end = (): void => controller.abort(signal.reason);
  const cancelTimer = startTimer(milliseconds, () =>
    controller.abort(new DOMException('The time limit was exceeded.', 'TimeoutError')),
  );
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const clear = (): void => {
    cancelTimer();
    signal.removeEventListener('abort', end);
  };
  return { signal: controller.signal, clear };
}

interface Limits extends RequestInit {
  readonly signal: AbortSignal;
  /** Limits the time until the whole response is there, in ms. */
  readonly timeout: number;
  /** Limits the body in bytes. */
  readonly maxBytes: number;
}

interface LimitedResponse {
  readonly status: number;
  readonly text: string;
}

/** Rejects a response body that is larger than its limit. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';

  constructor(maxBytes: number) {
    super(`a response of more than ${maxBytes / 1024 / 1024} MB`);
  }
}

/**
 * Sends a request and reads the response as text. Redirects are not followed. Throws as `fetch` does, a `TimeoutError` when
 * the response is not complete in time, and `ResponseTooLargeError`.
 */
export async function fetchWithLimits(
  url: string,
  { signal, timeout, maxBytes, ...init }: Limits,
): Promise<LimitedResponse> {
  const limit = timeLimit(timeout, signal);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit.signal });
    return { status: response.status, text: await readText(response, maxBytes) };
  } finally {
    limit.clear();
  }
}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the response.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

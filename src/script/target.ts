/** Where a script is played: a tenant of a simulator, reached by HTTP alone. */
interface AdminCall {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface ScriptTarget {
  /** What paths of requests are appended to. */
  readonly serviceUrl: string;
  /** Sent with every request: the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Calls the control API about the tenant. Throws `InputError` with the words of a refusal. */
  readonly admin: (path: string, call?: AdminCall) => Promise<unknown>;
}

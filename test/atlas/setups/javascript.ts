import type { Setup } from '../setup.ts';
import { all, every, never, passing, serverErrors } from './statuses.ts';

const npm = (
  id: string,
  version: string,
  rest: Omit<Setup, 'id' | 'language' | 'file' | 'install' | 'version' | 'title'> &
    Partial<Pick<Setup, 'title' | 'file'>> & {
      readonly name?: string;
      readonly besides?: Readonly<Record<string, string>>;
    },
): Setup => {
  const { name = id, besides, ...own } = rest;
  return {
    id,
    title: id,
    language: 'JavaScript',
    file: `node/${id}.mjs`,
    install: { npm: { [name]: version, ...besides } },
    version: { npm: name },
    ...own,
  };
};

const axios = '1.21.1';

export const javascript: readonly Setup[] = [
  {
    id: 'node-fetch',
    title: 'fetch of Node.js',
    language: 'JavaScript',
    file: 'node/fetch.mjs',
    install: {},
    version: { command: [process.execPath, '--version'] },
    documented: { ...never, source: 'Fetch standard; undici, “Client”: headersTimeout 300 s', timeout: 300_000 },
  },
  npm('got', '14.6.6', {
    documented: {
      source: 'got, “Retry API”: limit 2, methods GET PUT HEAD DELETE OPTIONS TRACE, 1 s · 2^n, Retry-After',
      methods: ['GET'],
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      attempts: 3,
      pauses: '1 s, 2 s',
      heedsRetryAfter: true,
      cut: 'repeated',
    },
  }),
  npm('ky', '1.14.3', {
    documented: {
      source: 'ky, readme, “retry” and “timeout”: limit 2, 300 ms · 2^n, afterStatusCodes 413 429 503, timeout 10 s',
      methods: ['GET'],
      statuses: passing,
      networkErrors: true,
      timeouts: false,
      timeout: 10_000,
      attempts: 3,
      pauses: '0.3 s, 0.6 s',
      heedsRetryAfter: true,
    },
  }),
  npm('axios', axios, {
    documented: { ...never, source: 'axios, “Request config”: timeout 0, no retry' },
  }),
  npm('axios-retry', '4.5.0', {
    besides: { axios },
    documented: {
      source: 'axios-retry, readme, “Options”: 3 retries, no delay, network errors and 5xx of idempotent methods',
      methods: ['GET'],
      statuses: serverErrors,
      networkErrors: true,
      lostMethods: every,
      timeouts: false,
      attempts: 4,
      pauses: 'none',
      heedsRetryAfter: false,
    },
  }),
  npm('p-retry', '7.1.1', {
    documented: {
      source: 'p-retry, readme, “Usage”: fetch, AbortError on 404, 5 retries, 1 s · 2^n; other statuses are results',
      methods: every,
      statuses: [],
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 6,
      pauses: '1 s, 2 s, 4 s …',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  npm('p-retry-ok', '7.1.1', {
    name: 'p-retry',
    title: 'p-retry, throwing unless response.ok',
    recipeOf: 'p-retry',
    documented: {
      source: 'p-retry, readme, “Usage”: whatever is thrown is repeated, 5 retries, 1 s · 2^n',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 6,
      pauses: '1 s, 2 s, 4 s …',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  npm('async-retry', '1.3.3', {
    documented: {
      source: 'async-retry, readme, “Usage”: whatever is thrown is repeated, but 403; 1 s to 2 s · 2^n',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 6,
      pauses: '1 to 2 s, 2 to 4 s …',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  npm('undici-retry-agent', '7.30.2', {
    name: 'undici',
    title: 'undici RetryAgent',
    documented: {
      source: 'undici, “RetryHandler”: 5 retries, 0.5 s · 2^n, GET PUT HEAD OPTIONS DELETE, 429 and 5xx, Retry-After',
      methods: ['GET'],
      statuses: passing,
      networkErrors: true,
      timeouts: false,
      timeout: 300_000,
      attempts: 6,
      pauses: '0.5 s, 1 s, 2 s …',
      heedsRetryAfter: true,
      cut: 'repeated',
    },
  }),
  npm('fetch-retry', '6.0.0', {
    documented: {
      source: 'fetch-retry, readme: 3 retries after 1 s, “only on network related issues”',
      methods: every,
      statuses: [],
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 4,
      pauses: '1 s',
      heedsRetryAfter: false,
    },
  }),
  npm('superagent', '10.4.2', {
    title: 'superagent with .retry(2)',
    documented: {
      source:
        'superagent, documentation, “Retrying requests”: connection errors, 408 413 429 500 502 503 504 521 522 524',
      methods: every,
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      attempts: 3,
      pauses: 'none',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  {
    id: 'node-http',
    title: 'node:http',
    language: 'JavaScript',
    file: 'node/http.mjs',
    install: {},
    version: { command: [process.execPath, '--version'] },
    documented: { ...never, source: 'Node.js, “http.request”: no timeout, no retry' },
  },
  npm('cockatiel', '3.2.1', {
    documented: {
      source: 'cockatiel, readme: retry(handleAll, 3) with ExponentialBackoff, of whatever is thrown',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 4,
      pauses: 'about 0.1 s, growing',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  npm('wretch', '2.11.1', {
    documented: { ...never, source: 'wretch, readme: no retry without the middleware', timeout: 300_000 },
  }),
  npm('wretch-retry', '2.11.1', {
    name: 'wretch',
    title: 'wretch with its retry middleware',
    recipeOf: 'wretch',
    documented: {
      source: 'wretch, readme, “Retry”: 10 attempts until response.ok, 500 ms, retryOnNetworkError false',
      methods: every,
      statuses: all,
      networkErrors: false,
      timeouts: false,
      timeout: 300_000,
      attempts: 11,
      pauses: '0.5 s, 1 s, 1.5 s …',
      heedsRetryAfter: false,
    },
  }),
  npm('ofetch', '1.5.1', {
    documented: {
      source: 'ofetch, readme, “Auto Retry”: 1 retry, no delay, not of POST PUT PATCH DELETE; timeout disabled',
      methods: ['GET'],
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 2,
      pauses: 'none',
      heedsRetryAfter: false,
    },
  }),
  npm('make-fetch-happen', '15.0.6', {
    documented: {
      source:
        'make-fetch-happen, readme, “opts.retry”: not POST; 408 420 429 and 5xx, lost connections; retry’s defaults',
      methods: ['GET', 'PATCH'],
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      attempts: 11,
      pauses: '1 s, 2 s, 4 s …',
      heedsRetryAfter: false,
    },
  }),
  npm('needle', '3.5.0', {
    documented: { ...never, source: 'needle, readme: open_timeout 10 s, response_timeout 0; no retry' },
  }),
  npm('gaxios', '7.3.1', {
    title: 'gaxios with retry: true',
    documented: {
      source:
        'gaxios, readme, “retryConfig”: 3 retries (2 without a response), GET PUT HEAD OPTIONS DELETE, 429 and 5xx, 100 ms',
      methods: ['GET'],
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      attempts: 4,
      pauses: 'about 0.1 s, growing',
      heedsRetryAfter: false,
    },
  }),
  npm('retry-axios', '4.0.3', {
    besides: { axios },
    documented: {
      source:
        'retry-axios, readme: 3 retries, GET HEAD OPTIONS DELETE PUT, 429 and 5xx and network errors, 50 ms, 150 ms',
      methods: ['GET'],
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      attempts: 4,
      pauses: '0.05 s, 0.15 s, 0.35 s',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  npm('xior', '0.8.5', {
    title: 'xior with its error-retry plugin',
    documented: {
      source:
        'xior, readme, “Error retry plugin”: 2 retries of a GET after any error, the first at once, the second after 3 s',
      methods: ['GET'],
      statuses: all,
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 3,
      pauses: 'none, 3 s',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  npm('urllib', '4.9.1', {
    documented: { ...never, source: 'urllib, readme: timeout 5 s, retry 0', timeout: 5000 },
  }),
  npm('exponential-backoff', '3.1.3', {
    documented: {
      source: 'exponential-backoff, readme: 10 attempts of what throws; fetch throws without a response only',
      methods: every,
      statuses: [],
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 10,
      pauses: '0.1 s, 0.2 s, 0.4 s …',
      heedsRetryAfter: false,
    },
  }),
  npm('promise-retry', '2.0.1', {
    documented: {
      source: 'promise-retry, readme: 10 retries of what rejects; fetch rejects without a response only; 1 s · 2^n',
      methods: every,
      statuses: [],
      networkErrors: true,
      timeouts: true,
      timeout: 300_000,
      attempts: 11,
      pauses: '1 s, 2 s, 4 s …',
      heedsRetryAfter: false,
    },
  }),
];

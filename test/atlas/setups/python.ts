import type { Setup } from '../setup.ts';
import { all, every, never } from './statuses.ts';

const debian = (
  id: string,
  file: string,
  packages: readonly string[],
  rest: Omit<Setup, 'id' | 'language' | 'file' | 'install' | 'version'>,
): Setup => ({
  id,
  language: 'Python',
  file: `python/${file}.py`,
  install: { debian: packages },
  version: { debian: packages[0] ?? '' },
  ...rest,
});

const requestsTitle = 'requests, “Timeouts” and “HTTPAdapter”: no timeout, max_retries 0';

export const python: readonly Setup[] = [
  {
    id: 'python-urllib',
    title: 'urllib.request',
    language: 'Python',
    file: 'python/urllib_request.py',
    install: {},
    version: { command: ['/usr/bin/python3', '--version'] },
    documented: { ...never, source: 'Python, “urllib.request”: no retry, no timeout unless one is set' },
  },
  debian('requests', 'requests_plain', ['python3-requests'], {
    title: 'requests',
    documented: { ...never, source: requestsTitle },
  }),
  debian('requests-retry', 'requests_retry', ['python3-requests', 'python3-urllib3'], {
    title: 'requests with urllib3 Retry',
    documented: {
      source:
        'requests, “Automatic Retries”: 3 retries, backoff_factor 0.1, status_forcelist 502 503 504, allowed_methods POST',
      methods: ['POST'],
      // With Retry-After, 413 429 and 503 are repeated whatever the list says.
      statuses: [429, 503, 504],
      networkErrors: true,
      timeouts: true,
      attempts: 4,
      pauses: 'none, 0.2 s, 0.4 s',
      heedsRetryAfter: true,
    },
  }),
  debian('urllib3', 'urllib3_pool', ['python3-urllib3'], {
    title: 'urllib3 PoolManager',
    documented: {
      source: 'urllib3, “Retry”: 3 retries, no backoff, no status but Retry-After with 413 429 503, idempotent methods',
      methods: ['GET'],
      statuses: [429],
      networkErrors: true,
      timeouts: true,
      attempts: 4,
      pauses: 'none',
      heedsRetryAfter: true,
    },
  }),
  debian('httpx', 'httpx_client', ['python3-httpx'], {
    title: 'httpx',
    documented: { ...never, source: 'HTTPX, “Timeouts”: 5 s of inactivity; retries 0', timeout: 5000 },
  }),
  debian('httpx-transport', 'httpx_transport', ['python3-httpx'], {
    title: 'httpx with HTTPTransport(retries=1)',
    recipeOf: 'httpx',
    documented: {
      ...never,
      source: 'HTTPX, “Transports”: retries only of ConnectError and ConnectTimeout',
      timeout: 5000,
    },
  }),
  debian('tenacity', 'tenacity_retry', ['python3-tenacity', 'python3-requests'], {
    title: 'tenacity over requests',
    documented: {
      source: 'tenacity, “Stopping”: @retry(stop=stop_after_attempt(3)), any exception, no wait',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      attempts: 3,
      pauses: 'none',
      heedsRetryAfter: false,
    },
  }),
  debian('backoff', 'backoff_decorator', ['python3-backoff', 'python3-requests'], {
    title: 'backoff over requests',
    documented: {
      source: 'backoff, readme, “@backoff.on_exception”: expo, RequestException, full jitter from 0 to 1 s, 2 s …',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      attempts: 5,
      pauses: '0 to 1 s, 0 to 2 s …',
      heedsRetryAfter: false,
    },
  }),
  debian('retrying', 'retrying_decorator', ['python3-retrying', 'python3-requests'], {
    title: 'retrying over requests',
    documented: {
      source: 'retrying, readme: @retry(stop_max_attempt_number=7), any exception, no wait',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      attempts: 7,
      pauses: 'none',
      heedsRetryAfter: false,
    },
  }),
  debian('aiohttp', 'aiohttp_client', ['python3-aiohttp'], {
    title: 'aiohttp',
    documented: {
      ...never,
      source: 'aiohttp, “Client Quickstart”, “Timeouts”: 5 minutes; no retry',
      timeout: 300_000,
    },
  }),
];

import type { Setup } from '../setup.ts';
import { every, never, serverErrors } from './statuses.ts';

const php = (
  id: string,
  file: string,
  packages: readonly string[],
  rest: Omit<Setup, 'id' | 'language' | 'file' | 'install' | 'version'>,
): Setup => ({
  id,
  language: 'PHP',
  file: `php/${file}.php`,
  install: { debian: ['php-cli', ...packages] },
  version: packages[0] ? { debian: packages[0] } : { command: ['php', '--version'] },
  ...rest,
});

/** Libcurl sends a request again when the connection that it reused was lost; it rewinds the body for that. */
const transport = every;

export const phpSetups: readonly Setup[] = [
  php('php-guzzle', 'guzzle', ['php-guzzlehttp-guzzle', 'php-curl'], {
    title: 'Guzzle',
    documented: {
      ...never,
      source: 'Guzzle, “Request Options”: timeout 0, no retry; libcurl, CURLE_SEND_FAIL_REWIND: data is sent again',
      transport,
    },
  }),
  php('php-guzzle-retry', 'guzzle_retry', ['php-guzzlehttp-guzzle', 'php-curl'], {
    title: 'Guzzle with Middleware::retry',
    recipeOf: 'php-guzzle',
    documented: {
      source:
        'Guzzle, “Handlers and Middleware”, Middleware::retry: a function decides (here: ConnectException, 5xx), 1 s · 2^n',
      methods: every,
      statuses: serverErrors,
      networkErrors: true,
      timeouts: true,
      attempts: 4,
      pauses: '1 s, 2 s, 4 s',
      heedsRetryAfter: false,
      transport,
    },
  }),
  php('php-curl', 'curl', ['php-curl'], {
    title: 'PHP’s curl extension',
    documented: {
      ...never,
      source: 'PHP, “curl_setopt”: CURLOPT_TIMEOUT 0; libcurl, CURLE_SEND_FAIL_REWIND: data is sent again',
      transport,
    },
  }),
  php('php-symfony', 'symfony', ['php-symfony-http-client', 'php-curl'], {
    title: 'Symfony HttpClient',
    documented: {
      ...never,
      source: 'Symfony, “HTTP Client”: timeout default_socket_timeout (60 s), no retry',
      timeout: 60_000,
      transport,
    },
  }),
  php('php-symfony-retryable', 'symfony_retryable', ['php-symfony-http-client', 'php-curl'], {
    title: 'Symfony RetryableHttpClient',
    recipeOf: 'php-symfony',
    documented: {
      source:
        'Symfony, “Retry Failed Requests”: 3 retries, 423 425 429 502 503 of any method, 500 504 of idempotent ones, 1 s · 2^n',
      methods: ['GET'],
      statuses: [500, 504],
      anyMethodStatuses: [429, 503],
      networkErrors: true,
      timeouts: true,
      timeout: 60_000,
      attempts: 4,
      pauses: '1 s, 2 s, 4 s',
      heedsRetryAfter: true,
      cut: 'repeated',
      transport,
    },
  }),
  php('php-streams', 'streams', [], {
    title: 'file_get_contents',
    documented: {
      ...never,
      source: 'PHP, “HTTP context options”: timeout 60 s (default_socket_timeout), no retry',
      timeout: 60_000,
    },
  }),
];

import type { Setup } from '../setup.ts';
import { every, never, passing } from './statuses.ts';

/** Go's transport sends a request without side effects again after an idle connection was lost. */
const transport = ['GET'] as const;

export const go: readonly Setup[] = [
  {
    id: 'go-net-http',
    title: 'Go net/http',
    language: 'Go',
    file: 'go/net_http.go',
    install: { debian: ['golang-go'] },
    version: { command: ['go', 'version'] },
    documented: {
      ...never,
      source: 'Go, “net/http”, “Transport”: idempotent requests after a lost idle connection; Client.Timeout 0',
      transport,
    },
  },
  {
    id: 'go-retryablehttp',
    title: 'hashicorp/go-retryablehttp',
    language: 'Go',
    file: 'go/retryablehttp.go',
    install: { debian: ['golang-go', 'golang-github-hashicorp-go-retryablehttp-dev'] },
    version: { debian: 'golang-github-hashicorp-go-retryablehttp-dev' },
    documented: {
      source:
        'go-retryablehttp, readme and package documentation: 4 retries, connection errors, 429 and 5xx but 501, Retry-After, 1 s',
      methods: every,
      statuses: passing,
      networkErrors: true,
      timeouts: true,
      attempts: 5,
      pauses: '1 s, 2 s, 4 s, 8 s',
      heedsRetryAfter: true,
    },
  },
  {
    id: 'go-backoff',
    title: 'cenkalti/backoff over net/http',
    language: 'Go',
    file: 'go/cenkalti_backoff.go',
    install: { debian: ['golang-go', 'golang-github-cenkalti-backoff-dev'] },
    version: { debian: 'golang-github-cenkalti-backoff-dev' },
    documented: {
      source: 'cenkalti/backoff, package documentation: Retry until nil, 0.5 s · 1.5^n ± 50 %, 15 minutes',
      methods: every,
      statuses: [400, 404, 409, ...passing],
      networkErrors: true,
      timeouts: true,
      attempts: 40,
      pauses: 'about 0.5 s, 0.75 s, 1.1 s …',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  },
];

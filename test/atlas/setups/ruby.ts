import type { Setup } from '../setup.ts';
import { all, every, never, serverErrors } from './statuses.ts';

const ruby = (
  id: string,
  file: string,
  gem: string | undefined,
  rest: Omit<Setup, 'id' | 'language' | 'file' | 'install' | 'version'>,
): Setup => ({
  id,
  language: 'Ruby',
  file: `ruby/${file}.rb`,
  install: { debian: ['ruby', ...(gem === undefined ? [] : [gem])] },
  version: gem === undefined ? { command: ['ruby', '--version'] } : { debian: gem },
  ...rest,
});

/** What Net::HTTP does by itself. */
const netHttp = {
  methods: ['GET'],
  statuses: [],
  networkErrors: true,
  timeouts: true,
  timeout: 60_000,
  attempts: 2,
  pauses: 'none',
  heedsRetryAfter: false,
  cut: 'silent',
} as const;

export const rubySetups: readonly Setup[] = [
  ruby('ruby-net-http', 'net_http', undefined, {
    title: 'Net::HTTP',
    documented: {
      ...netHttp,
      source: 'Ruby, “Net::HTTP”, max_retries 1: idempotent requests after an IOError or a timeout; read_timeout 60',
    },
  }),
  ruby('ruby-net-http-open', 'net_http_persistent', undefined, {
    title: 'Net::HTTP, kept open',
    recipeOf: 'ruby-net-http',
    documented: {
      ...netHttp,
      source: 'Ruby, “Net::HTTP”, max_retries 1: idempotent requests after an IOError or a timeout; read_timeout 60',
    },
  }),
  ruby('ruby-faraday', 'faraday', 'ruby-faraday', {
    title: 'Faraday',
    documented: { ...netHttp, source: 'Faraday, “Adapters”: Net::HTTP, which repeats idempotent requests once' },
  }),
  ruby('ruby-faraday-retry', 'faraday_retry', 'ruby-faraday', {
    title: 'Faraday with its retry middleware',
    recipeOf: 'ruby-faraday',
    documented: {
      ...netHttp,
      source:
        'Faraday, “Retry Middleware”: 2 retries, timeouts only, idempotent methods, 0.05 s · 2^n; Net::HTTP’s own repeat',
      attempts: 6,
      pauses: 'none, then 0.05 s, 0.1 s',
    },
  }),
  ruby('ruby-httparty', 'httparty', 'ruby-httparty', {
    title: 'HTTParty',
    documented: { ...netHttp, source: 'HTTParty, readme and “max_retries”: Net::HTTP’s own repeat' },
  }),
  ruby('ruby-rest-client', 'rest_client', 'ruby-rest-client', {
    title: 'rest-client',
    documented: { ...netHttp, source: 'rest-client, readme, “Timeouts”: Net::HTTP with its 60 s; no retry of its own' },
  }),
  ruby('ruby-http', 'http_rb', 'ruby-http', {
    title: 'http.rb',
    documented: { ...never, source: 'http.rb, “Timeouts”: none, no retry' },
  }),
  ruby('ruby-excon', 'excon', 'ruby-excon', {
    title: 'Excon with idempotent: true',
    documented: {
      source:
        'Excon, readme, “idempotent”: up to 4 attempts, after timeouts, socket errors and server errors, no pause; read_timeout 60',
      methods: every,
      statuses: serverErrors,
      networkErrors: true,
      timeouts: true,
      timeout: 60_000,
      attempts: 4,
      pauses: 'none',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
  ruby('ruby-retriable', 'retriable', 'ruby-retriable', {
    title: 'retriable over Net::HTTP',
    documented: {
      source: 'retriable, readme: 3 tries, any StandardError, 0.5 s · 1.5^n ± 50 %; Net::HTTP’s own repeat',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      timeout: 10_000,
      attempts: 3,
      pauses: 'about 0.5 s, 0.75 s',
      heedsRetryAfter: false,
      cut: 'silent',
    },
  }),
];

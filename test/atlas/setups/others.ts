import type { Setup } from '../setup.ts';
import { all, every, never, passing } from './statuses.ts';

type Rest = Omit<Setup, 'id' | 'language' | 'file'>;

const csharp = (id: string, file: string, rest: Omit<Rest, 'install' | 'version'>): Setup => ({
  id,
  language: 'C#',
  file: `csharp/${file}.cs`,
  install: { debian: ['mono-mcs', 'mono-runtime', 'libmono-system-net-http4.0-cil'] },
  version: { debian: 'mono-runtime' },
  ...rest,
});

const perl = (id: string, file: string, rest: Rest): Setup => ({
  id,
  language: 'Perl',
  file: `perl/${file}.pl`,
  ...rest,
});

const shell = (id: string, file: string, rest: Rest): Setup => ({
  id,
  language: 'Shell',
  file: `shell/${file}.sh`,
  ...rest,
});

const curl = { install: {}, version: { command: ['curl', '--version'] } } as const;

export const csharpSetups: readonly Setup[] = [
  csharp('csharp-http-client', 'HttpClient', {
    title: 'HttpClient of Mono',
    documented: { ...never, source: '.NET, “HttpClient.Timeout”: 100 s, no retry', timeout: 100_000 },
  }),
  csharp('csharp-http-web-request', 'HttpWebRequest', {
    title: 'HttpWebRequest of Mono',
    documented: { ...never, source: '.NET, “HttpWebRequest.Timeout”: 100 s, no retry', timeout: 100_000 },
  }),
];

export const perlSetups: readonly Setup[] = [
  perl('perl-lwp', 'lwp', {
    title: 'LWP::UserAgent',
    install: { debian: ['libwww-perl'] },
    version: { debian: 'libwww-perl' },
    documented: { ...never, source: 'LWP::UserAgent, “timeout”: 180 s; no retry', timeout: 180_000 },
  }),
  perl('perl-http-tiny', 'http_tiny', {
    title: 'HTTP::Tiny',
    install: {},
    version: { command: ['perl', '-MHTTP::Tiny', '-e', 'print HTTP::Tiny->VERSION'] },
    documented: { ...never, source: 'HTTP::Tiny, “new”: timeout 60 s, keep_alive 1; no retry', timeout: 60_000 },
  }),
  perl('perl-mojo', 'mojo', {
    title: 'Mojo::UserAgent',
    install: { debian: ['libmojolicious-perl'] },
    version: { debian: 'libmojolicious-perl' },
    documented: { ...never, source: 'Mojo::UserAgent, “inactivity_timeout”: 40 s; no retry', timeout: 40_000 },
  }),
];

export const shellSetups: readonly Setup[] = [
  shell('curl', 'curl', {
    title: 'curl',
    ...curl,
    documented: { ...never, source: 'curl, manual, --retry: 0 by default; no timeout' },
  }),
  shell('curl-retry', 'curl_retry', {
    title: 'curl --retry 3',
    ...curl,
    recipeOf: 'curl',
    documented: {
      source: 'curl, manual, --retry: a timeout, 408 429 500 502 503 504; 1 s · 2^n; Retry-After',
      methods: every,
      statuses: passing,
      networkErrors: false,
      timeouts: true,
      attempts: 4,
      pauses: '1 s, 2 s, 4 s',
      heedsRetryAfter: true,
    },
  }),
  shell('curl-retry-all', 'curl_retry_all', {
    title: 'curl --retry 3 --retry-all-errors',
    ...curl,
    recipeOf: 'curl',
    documented: {
      source: 'curl, manual, --retry-all-errors: any error, with --fail also 4xx; 1 s · 2^n; Retry-After',
      methods: every,
      statuses: all,
      networkErrors: true,
      timeouts: true,
      attempts: 4,
      pauses: '1 s, 2 s, 4 s',
      heedsRetryAfter: true,
      cut: 'repeated',
    },
  }),
  shell('wget', 'wget', {
    title: 'wget',
    install: {},
    version: { command: ['wget', '--version'] },
    documented: {
      source: 'wget, manual, --tries 20, --waitretry, --read-timeout 900 s: lost connections, no HTTP errors',
      methods: every,
      statuses: [],
      networkErrors: true,
      timeouts: true,
      timeout: 900_000,
      attempts: 20,
      pauses: '1 s, 2 s, 3 s … up to 10 s',
      heedsRetryAfter: false,
      cut: 'repeated',
    },
  }),
];

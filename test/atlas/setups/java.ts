import type { Setup } from '../setup.ts';
import { every, never } from './statuses.ts';

const java = (id: string, file: string, rest: Omit<Setup, 'id' | 'language' | 'file'>): Setup => ({
  id,
  language: 'Java',
  file: `java/${file}.java`,
  ...rest,
});

const jdk = { install: {}, version: { command: ['java', '--version'] } } as const;

export const javaSetups: readonly Setup[] = [
  java('java-http-client', 'JdkHttpClient', {
    title: 'java.net.http.HttpClient',
    ...jdk,
    documented: {
      ...never,
      source:
        'Java, “java.net.http” module, jdk.httpclient.enableallmethodretry: failed idempotent requests; no timeout',
      transport: ['GET'],
    },
  }),
  java('java-url-connection', 'UrlConnection', {
    title: 'java.net.HttpURLConnection',
    ...jdk,
    documented: {
      ...never,
      source: 'Java, “Networking Properties”, sun.net.http.retryPost: a failed POST is sent again; no timeout',
      transport: every,
    },
  }),
  java('java-okhttp', 'OkHttp', {
    title: 'OkHttp',
    install: { debian: ['libokhttp-java'] },
    version: { debian: 'libokhttp-java' },
    documented: {
      ...never,
      source: 'OkHttp, “retryOnConnectionFailure”: stale pooled connections; read timeout 10 s',
      timeout: 10_000,
      transport: every,
    },
  }),
  java('java-apache4', 'Apache4', {
    title: 'Apache HttpClient 4',
    install: { debian: ['libhttpclient-java'] },
    version: { debian: 'libhttpclient-java' },
    documented: {
      source:
        'Apache HttpClient 4, “Automatic exception recovery”: 3 retries of requests without a body, at once; no timeout',
      methods: ['GET'],
      statuses: [],
      networkErrors: true,
      timeouts: false,
      attempts: 4,
      pauses: 'none',
      heedsRetryAfter: false,
    },
  }),
  java('java-apache5', 'Apache5', {
    title: 'Apache HttpClient 5',
    install: { debian: ['libhttpclient5-java', 'libhttpcore5-java'] },
    version: { debian: 'libhttpclient5-java' },
    documented: {
      source:
        'Apache HttpClient 5, “DefaultHttpRequestRetryStrategy”: 1 retry after 1 s, idempotent methods, 429 and 503, Retry-After',
      methods: ['GET'],
      statuses: [429, 503],
      networkErrors: true,
      timeouts: false,
      timeout: 180_000,
      attempts: 2,
      pauses: '1 s',
      heedsRetryAfter: true,
    },
  }),
];

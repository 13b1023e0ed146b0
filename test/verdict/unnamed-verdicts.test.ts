/**
 * Clients whose headers do not name their HTTP library, as a server sees them. Some libraries repeat a request by
 * themselves, and the program above is not to blame for that. So a row fails only if no repeats of any known library
 * explain what was sent, passes only if nothing is in doubt, and is inconclusive otherwise.
 *
 * What libraries do by their defaults, without headers that name them: a read that got no byte is sent again at once
 * on whatever connection, once (Java 17), three times (.NET after a close, urllib3), four times (the newest Java). A kept
 * connection that ends is tried again on each other kept one, by Go without limit and with an `Idempotency-Key` even
 * for a POST; by libcurl for every method, five times. .NET repeats what has no body, a POST too. urllib3 and Net::HTTP
 * repeat a read that their own timeout ended, and urllib3 one that was cut. None repeats what got a status, or a POST
 * with a body that failed on a fresh connection.
 */
import type { PolicyInput } from '../../src/scenario/policy-schema.ts';
import { judgeScripts } from '../support/scripted-clients.ts';
import type { Row } from '../support/scripted-clients.ts';

const b400 = { minBackoff: '400ms' };
const b3s = { minBackoff: '3s' };
const a = (maxAttempts: number, more: PolicyInput = {}): PolicyInput => ({ maxAttempts, ...more });
const t = (timeout: string, more: PolicyInput = {}): PolicyInput => ({ timeout, ...more });

/** Repeats a word of a script. */
const x = (count: number, word: string): string => Array.from({ length: count }, () => word).join(' ');
/** Opens that many connections by a read on each, and then sends the request on each in turn; all of them fail. */
const kept = (count: number, word: string): string => {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const [op = '', outcome = ''] = word.split(':');
  return [...numbers.map((n) => `w@${n}:ok`), ...numbers.map((n) => `${op}@${n}:${outcome}`)].join(' ');
};

const rows: Record<string, readonly Row[]> = {
  till: [
    ['a:fin 600 a:ok', b400, 'PASS', 'paused as declared'],
    ['a:rst 600 a:fin 600 a:ok', a(3, b400), 'PASS', 'paused as declared, twice'],
    ['a:503 600 a:503 600 a:ok', a(3, b400), 'PASS', 'paused as declared after a status'],
    ['a:hang300 600 a:ok', b400, 'PASS', 'paused as declared after its timeout'],
    ['a:cut 600 a:ok', b400, 'PASS', 'paused as declared after half a response'],

    ['a:503 a:503 90 a:503 a:ok', a(3), 'INCONCLUSIVE', 'once more at once, as it repeated before'],
    ['a:503 30 a:503 70 a:503 a:ok', a(3), 'INCONCLUSIVE', 'pauses below 50 ms are alike'],
    ['a:503 200 a:503 400 a:503 a:ok', a(3), 'PASS', 'sooner than it ever repeated: later work'],

    ['a:fin a:ok', b400, 'INCONCLUSIVE', 'Java 17 repeats a read once on a fresh connection'],
    ['a:rst a:ok', b400, 'INCONCLUSIVE', 'Java 17 repeats a read once on a fresh connection'],
    ['a:fin a:fin a:ok', b400, 'INCONCLUSIVE', '.NET repeats three times after a close'],
    ['a:rst a:rst a:ok', b400, 'INCONCLUSIVE', 'urllib3 repeats three times after a reset'],
    [`${x(3, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE', '.NET repeats three times after a close'],
    [`${x(3, 'a:rst')} a:ok`, b400, 'INCONCLUSIVE', 'urllib3 repeats three times after a reset'],
    [`${x(4, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE', 'the newest Java tries five times'],
    [`${x(4, 'a:rst')} a:ok`, b400, 'INCONCLUSIVE', 'the newest Java tries five times'],
    [
      `${x(6, 'a:fin')} a:ok`,
      b400,
      'FAIL R6',
      'no library sends seven on fresh connections; two attempts had no pause',
    ],
    [`${x(10, 'a:fin')} a:ok`, b400, 'FAIL R6', 'no library sends eleven on fresh connections'],
    [`${x(10, 'a:rst')} a:ok`, b400, 'FAIL R6', 'no library sends eleven on fresh connections'],

    ['w@1:ok a@1:fin a:ok', b400, 'PASS', 'the documented transparent retry: once, at once, after a kept connection'],
    ['w@1:ok a@1:rst a:ok', b400, 'PASS', 'the documented transparent retry'],
    ['w@1:ok w@2:ok a@1:rst a@2:ok', b400, 'PASS', 'a pool takes its next kept connection'],
    [
      'w@1:ok a@1:fin a:fin a:ok',
      b400,
      'INCONCLUSIVE',
      'the second repeat is that of .NET, the newest Java or urllib3',
    ],
    [`${kept(2, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE', 'Go takes each kept connection, then a fresh one'],
    [`${kept(6, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE|PASS', 'Go sent seven, as measured; or it is of several clients'],
    [`${kept(6, 'a:rst')} a:ok`, b400, 'INCONCLUSIVE|PASS', 'Go sent seven, as measured; or it is of several clients'],
    [`${kept(10, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE|PASS', 'Go has no limit but that of its pool'],
    ['w@1:ok d@1:fin e:ok', b400, 'FAIL R6', 'the repeat has another header, which no library writes'],

    ['a:hang300 a:ok', b400, 'INCONCLUSIVE', 'Net::HTTP and urllib3 repeat a read after their timeout'],
    [`${x(4, 'a:hang150')} a:ok`, b400, 'FAIL R6', 'urllib3 sends four; none sends five after timeouts'],
    ['a:503 a:ok', b400, 'FAIL R6', 'no library repeats a 503 without Retry-After'],
    ['a:500 a:ok', b400, 'FAIL R6', 'no library repeats a 500'],
    ['a:504 a:ok', b400, 'FAIL R6', 'no library repeats a 504'],
    ['w@1:ok a@1:503 a@1:ok', b400, 'FAIL R6', 'a status, on a kept connection too'],
    [`${x(4, 'a:503')} a:ok`, b400, 'FAIL R6', 'no library repeats a 503'],
    [`${x(10, 'a:503')} a:ok`, b400, 'FAIL R6', 'no library repeats a 503'],
    ['a:fin a:503 a:ok', b400, 'FAIL R6', 'whoever made the first repeat, the second followed a status'],
    ['a:503 600 a:fin a:ok', b400, 'INCONCLUSIVE', 'the last may be the library’s; the pause before was right'],
    ['a:cut a:ok', b400, 'INCONCLUSIVE', 'urllib3 repeats a read that was cut'],
    ['a:fin 800 a:ok', b3s, 'FAIL R6', 'no library waits 0.8 s'],

    ['a:fin a:fin a:ok', a(3), 'PASS', 'three at most, and no pause is declared'],
    [`${x(3, 'a:fin')} a:ok`, a(3), 'INCONCLUSIVE', 'four, of which one may be the library’s'],
    [`${x(4, 'a:fin')} a:ok`, a(3), 'INCONCLUSIVE', 'five, which can be two attempts of .NET'],
    [
      `${x(10, 'a:fin')} a:ok`,
      a(2),
      'FAIL R7',
      'eleven are three attempts at least, as no library sends more than five',
    ],
    ['a:fin 600 a:fin 600 a:fin 600 a:fin 600 a:ok', a(3, b400), 'FAIL R7', 'no library pauses: five attempts'],
    ['a:503 600 a:503 600 a:503 600 a:503 600 a:ok', a(3, b400), 'FAIL R7', 'five attempts'],
    ['a:503 a:503 a:503 a:ok', a(3), 'FAIL R7', 'four attempts, as no library repeats a 503'],
    ['a:fin a:fin 600 a:fin a:ok', a(2, b400), 'INCONCLUSIVE', 'two attempts over a library that doubles each'],
    ['a:fin a:fin 600 a:fin a:fin 600 a:ok', a(3, b400), 'INCONCLUSIVE', 'three attempts, of which two were doubled'],
    ['a:fin a:fin 600 a:fin a:fin 600 a:ok', a(2, b400), 'FAIL R6|R7|R6 R7', 'three at least, or no pause'],
    ['a:503 600 a:fin a:fin 600 a:ok', a(3, b400), 'INCONCLUSIVE', 'the second attempt may have been doubled'],
    [
      'a:fin a:fin 600 a:fin 600 a:ok',
      { minBackoff: ['400ms', '3s'] },
      'FAIL R6',
      'if the library doubled the first, the second pause was too short; if not, the first',
    ],
    [
      'a:fin a:fin 600 a:fin 1400 a:ok',
      { minBackoff: ['400ms', '1s'] },
      'INCONCLUSIVE',
      'right if the library doubled the first attempt',
    ],

    ['a:fin a:ok', undefined, 'PASS', 'nothing is declared'],
    [`${x(3, 'a:fin')} a:ok`, undefined, 'PASS', 'nothing is declared'],
    [`${x(10, 'a:rst')} a:ok`, undefined, 'PASS', 'nothing is declared'],
    ['a:fin', undefined, 'FAIL R1', 'never repeated, by nobody'],
    ['a:hang300', undefined, 'FAIL R1', 'never repeated, by nobody'],
    ['w@1:ok a@1:fin', undefined, 'FAIL R1', 'never repeated, by nobody'],
    ['a:fin a:fin', undefined, 'INCONCLUSIVE', 'a repeat of the program is enough; one of the library is not'],
    ['a:fin a:fin', b3s, 'FAIL R1|R6|R1 R6', 'the library repeated, and the program never did; or it did not pause'],
    ['a:fin 600 a:fin', b400, 'PASS', 'tried twice, with a pause, and given up: a read may be'],

    [
      'w@1:ok w@2:ok a@1:fin b@2:fin a:ok b:ok',
      b400,
      'INCONCLUSIVE|PASS',
      'two reads, repeated once, with work between',
    ],
    ['a:fin b:fin a:ok b:ok', b400, 'INCONCLUSIVE', 'two reads, each as Java repeats it'],
    ['a:fin b:ok a:ok', b400, 'INCONCLUSIVE', 'Java, and another thread between'],
    [
      'a:503 b:ok a:ok',
      b400,
      'PASS',
      'a read need not be repeated after a 503, and the second is other work, as the pages say',
    ],
    ['a:fin b:ok 600 a:ok', b400, 'PASS', 'paused as declared, with other work between'],
    ['n@1:ok n@1:ok', undefined, 'FAIL R2', 'no library repeats a 404'],
    ['n:fin n:ok', undefined, 'PASS', 'the 404 came once'],

    ['R:fin 600 R:ok', b400, 'PASS', 'paused as declared'],
    ['R:hang300 600 R:ok', b400, 'PASS', 'paused as declared'],
    ['R:504+ 600 R:ok', b400, 'PASS', 'paused as declared, with its key'],
    ['R:fin R:ok', b400, 'FAIL R6', 'no library repeats a POST with a body from a fresh connection'],
    ['R:rst R:ok', b400, 'FAIL R6', 'no library repeats a POST with a body from a fresh connection'],
    ['R:fin+ R:ok', b400, 'FAIL R6', 'no library repeats a POST with a body from a fresh connection'],
    ['R:hang300 R:ok', b400, 'FAIL R6', 'no library repeats a POST after its timeout'],
    ['w@1:ok R@1:hang300 R:ok', b400, 'FAIL R6', 'no library repeats a POST after its timeout'],
    ['R:503 R:ok', b400, 'FAIL R6', 'no library repeats a status'],
    ['R:504 R:ok', b400, 'FAIL R6', 'no library repeats a status'],
    ['w@1:ok R@1:500 R@1:ok', b400, 'FAIL R6', 'no library repeats a status'],
    ['w@1:ok R@1:fin R:ok', b400, 'PASS', 'libcurl, as measured: a POST after a kept connection, once'],
    ['w@1:ok R@1:rst R:ok', b400, 'PASS', 'libcurl, as measured'],
    ['w@1:ok R@1:fin 45 R:ok', b3s, 'INCONCLUSIVE', 'a library on a busy machine: 17 ms and more were measured'],
    ['w@1:ok a@1:fin 45 a:ok', b3s, 'INCONCLUSIVE', 'a library on a busy machine: 25 ms were measured'],
    ['w@1:ok R@1:fin+ R:ok', b400, 'PASS', 'libcurl, and the key keeps it from counting twice'],
    ['w@1:ok R@1:fin R:fin R:ok', b400, 'FAIL R6', 'the second repeat followed a fresh connection'],
    ['w@1:ok R@1:fin R:fin 600 R:ok', a(2, b400), 'PASS', 'two attempts, the first repeated by the library'],
    [
      'w@1:ok R@1:fin R:503 600 w@2:ok R@2:fin R:503 600 R:ok',
      a(3, b400),
      'PASS',
      'three attempts with pauses; the library repeated two of them after kept connections',
    ],
    [`${kept(2, 'R:fin')} R:ok`, b400, 'INCONCLUSIVE', 'libcurl takes another kept connection, as measured'],
    [`${kept(5, 'R:fin')} R:ok`, b400, 'INCONCLUSIVE', 'libcurl repeats five times, as measured'],
    [`${kept(6, 'R:fin')} R:ok`, b400, 'FAIL R6', 'libcurl repeats five times at most, as measured'],
    ['w@1:ok q@1:fin R:ok', b400, 'FAIL R6', 'the repeat has not the same headers'],
    ['P:fin P:ok', b400, 'FAIL R6', 'no library repeats a PATCH from a fresh connection'],
    ['P:rst P:ok', b400, 'FAIL R6', 'no library repeats a PATCH from a fresh connection'],
    ['w@1:ok P@1:fin P:ok', b400, 'PASS', 'libcurl repeats every method after a kept connection'],
    ['w@1:ok P@1:rst P:ok', b400, 'PASS', 'libcurl repeats every method after a kept connection'],
    ['P:500 P:ok', b400, 'FAIL R6', 'no library repeats a status'],
    ['P:hang300 P:ok', b400, 'FAIL R6', 'no library repeats a PATCH after its timeout'],
    ['R:fin', undefined, 'FAIL R1|R9|R1 R9', 'never repeated'],
    ['R:503', undefined, 'FAIL R9', 'never delivered'],
    ['w@1:ok R@1:fin R:fin', undefined, 'FAIL R1|R9|R1 R9', 'whoever repeated it, it was never delivered'],
    ['R:fin 600 R:fin 600 R:fin 600 R:ok', a(3, b400), 'FAIL R7', 'four attempts'],
    ['R:fin R:fin 600 R:fin R:fin 600 R:ok', a(3, b400), 'FAIL R6|R7|R6 R7', 'no library doubles a POST like that'],
    [`${x(3, 'R:fin')} R:ok`, a(3), 'FAIL R7', 'four attempts, as no library repeats a POST like that'],
    [`w@1:ok R@1:fin ${x(2, 'R:fin')} R:ok`, a(3), 'PASS', 'three attempts, the first repeated by the library'],
    [`w@1:ok R@1:fin ${x(3, 'R:fin')} R:ok`, a(3), 'FAIL R7', 'four attempts at least'],
    ['R:fin R:ok', undefined, 'PASS', 'nothing is declared'],
    [`${x(4, 'R:fin')} R:ok`, undefined, 'PASS', 'nothing is declared'],
    ['B:fin B:ok', undefined, 'FAIL R11', 'no library repeats a POST like that: the program did, blindly'],
    ['B:fin+ B:ok', undefined, 'FAIL R10 R11', 'twice, and blindly'],
    ['w@1:ok B@1:fin B:ok', undefined, 'PASS', 'the library repeated it, and it took effect once'],
    ['w@1:ok B@1:fin+ B:ok', undefined, 'FAIL R10', 'the library repeated it, and it took effect twice'],
    ['w@1:ok B@1:fin B:fin B:ok', undefined, 'FAIL R11', 'the second repeat was the program’s'],
    ['K:fin+ K:ok', undefined, 'PASS', 'the key keeps it from counting twice'],
    ['K:fin K:ok', b400, 'FAIL R6', 'Go repeats it after kept connections alone, as measured'],
    [`${kept(2, 'K:fin')} K:ok`, b400, 'INCONCLUSIVE', 'Go repeats a POST with an Idempotency-Key, as measured'],
    [`${kept(6, 'K:rst')} K:ok`, b400, 'INCONCLUSIVE', 'Go sent seven, as measured'],
    ['A:fin A:ok', b400, 'INCONCLUSIVE', '.NET repeats a POST without a body on whatever connection'],
    [`${x(3, 'A:fin')} A:ok`, b400, 'INCONCLUSIVE', '.NET repeats it three times'],
    [`${x(6, 'A:fin')} A:ok`, b400, 'FAIL R6', 'more than three repeats are two attempts without a pause'],
    ['A:rst A:ok', b400, 'FAIL R6', '.NET repeats after a close, not after a reset'],
    ['A:503 A:ok', b400, 'FAIL R6', 'no library repeats a status'],
    ['w@1:ok A@1:fin A:ok', b400, 'PASS', 'the documented transparent retry'],
    ['V:fin V:ok', b400, 'INCONCLUSIVE', '.NET repeats a POST without a body'],
    ['V:fin 600 V:ok', b400, 'PASS', 'paused as declared'],
    ['w@1:ok w@2:ok R@1:fin S@2:fin R:ok S:ok', b400, 'PASS', 'two receipts, each repeated once by the library'],
    ['R:fin S:fin R:ok S:ok', b400, 'FAIL R6', 'no library repeats a POST like that'],
    [
      'w@1:ok R@1:fin b:ok R:ok',
      b400,
      'INCONCLUSIVE|PASS',
      'repeated at once, or after 20 ms on a busy machine; and another customer was read between',
    ],
    ['R:fin b:ok 600 R:ok', b400, 'PASS', 'paused as declared, with other work between'],
    ['R:fin S:ok R:ok', b400, 'FAIL R6', 'no library repeats a POST like that'],
    ['&R@1:hang 300 R:ok 300', undefined, 'FAIL R8', 'the first was still in flight'],

    ['o@1 2600 R@1:hang400 600 R:ok', t('3s', b400), 'PASS', 'its 3 s may have begun when it connected'],
    ['o@1 1900 B@1:slow1100 B:ok', t('3s'), 'PASS', 'its first connection is open: its 3 s have not ended'],
    ['w:ok w:ok B:slow1100 B:ok', t('5s'), 'PASS', 'it has seen the response: these are points of other work'],
    ['B:slow1100 B:ok', undefined, 'INCONCLUSIVE', 'nobody knows whether it waited for the response'],
    ['o@2 R:504 600 R@2:ok', b400, 'PASS', 'a connection that was opened before is no attempt'],
    ['o@2 800 R:504 600 R@2:ok', b400, 'PASS', 'a pool holds connections that nothing was sent on yet'],
    ['o@2 a:504 600 a@2:ok', b400, 'PASS', 'a connection that was opened before is no attempt'],
    ['w@2:ok R:504 600 R@2:ok', b400, 'PASS', 'another kept connection'],
    ['&R@1:slow504 300 o@2 . 600 R@2:ok', b400, 'PASS', 'opened meanwhile, but sent after the pause'],
  ],
  nobody: [
    ['a:fin a:ok', b400, 'INCONCLUSIVE', 'a client without any User-Agent, such as .NET'],
    [`${x(3, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE', '.NET repeats three times'],
    [`${x(10, 'a:fin')} a:ok`, b400, 'FAIL R6', 'no library sends eleven'],
    ['R:fin R:ok', b400, 'FAIL R6', '.NET repeats nothing with a body'],
    ['w@1:ok R@1:fin R:ok', b400, 'PASS', 'the documented transparent retry'],
    ['a:503 a:ok', b400, 'FAIL R6', 'no library repeats a status'],
  ],
  declared: [
    ['a:fin a:ok', b400, 'INCONCLUSIVE', 'who the client is says nothing of its library'],
    [`${x(10, 'a:fin')} a:ok`, b400, 'FAIL R6', 'no library sends eleven'],
    ['a:503 b:ok a:ok', b400, 'FAIL R6|INCONCLUSIVE|PASS', 'one client, but perhaps other work'],
  ],
  axios: [
    ['a:fin a:ok', b400, 'FAIL R6', 'axios never repeats'],
    ['w@1:ok a@1:fin a:ok', b400, 'FAIL R6', 'axios never repeats'],
  ],
  requests: [['a:fin a:ok', b400, 'FAIL R6', 'requests never repeats']],
  node: [['w@1:ok a@1:fin a:ok', b400, 'FAIL R6', 'Node’s fetch never repeats']],
  ruby: [
    ['a:fin a:ok', b400, 'PASS', 'Net::HTTP repeats an idempotent request once'],
    ['R:fin R:ok', b400, 'FAIL R6', 'Net::HTTP repeats no POST'],
  ],
  go: [
    ['a:rst a:ok', b400, 'FAIL R6', 'Go repeats nothing from a fresh connection, as measured'],
    ['w@1:ok a@1:fin a:ok', b400, 'PASS', 'Go repeats after a kept connection'],
    [`${kept(2, 'a:fin')} a:ok`, b400, 'INCONCLUSIVE|PASS', 'Go takes each kept connection'],
  ],
  curl: [
    ['w@1:ok R@1:fin R:ok', b400, 'PASS', 'libcurl repeats after a kept connection'],
    ['R:fin R:ok', b400, 'FAIL R6', 'libcurl repeats nothing from a fresh connection'],
  ],
  urllib3: [['a:fin a:ok', b400, 'INCONCLUSIVE|PASS', 'urllib3 repeats a read three times by default, as measured']],
  java: [
    ['a:fin a:ok', b400, 'PASS', 'Java’s HttpClient repeats a read once on whatever connection'],
    ['a:fin a:fin a:ok', b400, 'FAIL R6', 'Java 17 repeats it no more than once'],
    ['R:fin R:ok', b400, 'FAIL R6', 'Java’s HttpClient repeats no POST'],
  ],
};

judgeScripts(rows);

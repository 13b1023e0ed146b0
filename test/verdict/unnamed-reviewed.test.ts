/**
 * More clients whose headers do not name their HTTP library. Their verdicts were written down from docs/verdict.md and
 * the specification by somebody who did not write the rules, before they were run.
 */
import { judgeScripts } from '../support/scripted-clients.ts';
import type { Row } from '../support/scripted-clients.ts';

const b400 = { minBackoff: '400ms' };
const growing = { minBackoff: ['400ms', '3s'] };
const a = (maxAttempts: number, more: object = {}): object => ({ maxAttempts, ...more });

/** Repeats words of a script. */
const x = (count: number, words: string): string => Array.from({ length: count }, () => words).join(' ');

const rows: Record<string, readonly Row[]> = {
  till: [
    // What a response asks for.
    ['a:429r1 >600 a:ok', undefined, 'FAIL R6', 'sooner than Retry-After, and no library waits 0.6 s'],
    ['a:429r1 >1200 a:ok', undefined, 'PASS', 'as long as Retry-After'],
    ['R:503r1 R:ok', undefined, 'FAIL R6', 'at once, in spite of Retry-After'],
    ['R:503r1 >1200 R:ok', b400, 'PASS', 'as long as Retry-After'],
    ['a:fin a:503r1 >300 a:ok', undefined, 'FAIL R6', 'whoever repeated first, the last ignored Retry-After'],
    ['a:fin a:503r1 >1200 a:ok', undefined, 'PASS', 'nothing is declared, and Retry-After was kept'],
    ['a:503r1 >1200 a:fin a:ok', undefined, 'PASS', 'Retry-After was kept; nothing asks for a pause after the end'],
    [
      'w@1:ok R@1:fin R:503r1 >300 R:ok',
      undefined,
      'FAIL R6',
      'the library was right, the program ignored Retry-After',
    ],

    // Reads at once: what one attempt of a library can be.
    ['a:fin a:fin 600 a:ok', b400, 'INCONCLUSIVE', '.NET sends more, and then the program pauses'],
    ['a:rst a:503 600 a:ok', b400, 'INCONCLUSIVE', 'Java sends two, and then the program pauses'],
    ['a:rst a:503 a:ok', b400, 'FAIL R6', 'the last followed a status'],
    [`${x(6, 'a:fin')} 600 a:ok`, b400, 'FAIL R6', 'six at once are more than the five of the newest Java'],
    [`${x(5, 'a:fin')} 600 a:ok`, b400, 'INCONCLUSIVE', 'five at once are those of the newest Java'],
    [`${x(5, 'a:fin')} a:ok`, b400, 'FAIL R6', 'six at once are more than the five of the newest Java'],
    ['a:hang150 a:hang150 a:ok', b400, 'INCONCLUSIVE', 'urllib3 repeats three times after timeouts'],
    ['a:hang150 600 a:hang150 a:ok', a(2, b400), 'INCONCLUSIVE', 'Net::HTTP repeats after a timeout'],
    ['a:cut a:cut a:cut a:ok', b400, 'INCONCLUSIVE', 'urllib3 repeats three times what was cut'],
    [`${x(4, 'a:cut')} a:ok`, b400, 'FAIL R6', 'none repeats four times what was cut'],
    ['a:fin a:fin a:fin a:hang150 a:ok', b400, 'FAIL R6', 'four repeats are Java’s, which repeats no timeout'],
    ['a:fin a:hang150 a:ok', b400, 'INCONCLUSIVE', 'urllib3 repeats both'],
    ['a:fin 300 a:ok', b400, 'INCONCLUSIVE', 'a library on a busy machine: none waits half a second'],
    ['d:fin d:ok', b400, 'INCONCLUSIVE', 'a header of its own, but the same on both'],
    ['d:fin e:ok', b400, 'FAIL R6', 'no library changes a header'],
    ['w@1:ok w@2:ok a@1:rst a@2:rst a:rst 600 a:ok', b400, 'INCONCLUSIVE', 'Go finds two dead, and the program pauses'],
    ['w@1:ok a@1:fin 600 a:fin a:ok', b400, 'INCONCLUSIVE', 'the second attempt may have been doubled'],
    ['w@1:ok a@1:503 a@1:fin a:ok', b400, 'FAIL R6', 'the second followed a status'],
    [
      'w@1:ok a@1:fin a:503 600 a:ok',
      a(2, b400),
      'PASS',
      'two attempts with a pause, the first repeated by the library',
    ],
    ['a:ok a:ok', b400, 'PASS', 'two reads that came through'],

    // Lists of pauses, and pauses that shrink.
    ['a:fin 600 a:fin a:ok', growing, 'INCONCLUSIVE', 'the library may have made the last'],
    ['a:fin a:fin 600 a:ok', growing, 'INCONCLUSIVE', 'the library may have made the second'],
    ['a:fin >600 a:fin >600 a:ok', growing, 'FAIL R6', 'no library pauses, and the second pause is too short'],
    ['a:fin >600 450 a:fin >600 450 a:ok', growing, 'FAIL R6', 'the same, on a machine that takes 450 ms besides'],
    [
      'a:fin >2000 a:fin >1300 a:fin >850 a:fin >550 a:ok',
      { minBackoff: '100ms' },
      'FAIL R6',
      'each pause less than 70 % of the one before, three times, and no library pauses',
    ],
    [
      'a:fin >2000 a:fin a:fin >1300 a:fin >850 a:fin >550 a:ok',
      { minBackoff: '100ms' },
      'FAIL R6',
      'the repeat at once is too soon, or else the pauses shrink three times',
    ],
    [
      'a:fin >900 a:fin >550 a:fin 300 a:ok',
      { minBackoff: '100ms' },
      'INCONCLUSIVE',
      'the last may be the library’s, and then the pauses shrank once only',
    ],
    [
      'a:fin >1400 a:fin >900 a:fin >550 a:fin 300 a:ok',
      { minBackoff: '100ms' },
      'FAIL R6',
      'whoever made the last: three pauses in a row shrank',
    ],

    // How many attempts.
    ['R:fin R:504 R:ok', a(2), 'FAIL R7', 'three attempts: no library repeats a POST from a fresh connection'],
    ['w@1:ok R@1:fin R:504 R:ok', a(2), 'PASS', 'two attempts, the first repeated by the library'],
    ['w@1:ok R@1:fin R:504 R:ok', b400, 'FAIL R6', 'the last followed a status'],
    ['w@1:ok R@1:fin R:fin >600 R:fin >600 R:ok', a(3, b400), 'PASS', 'three attempts, the first repeated'],
    ['w@1:ok R@1:fin R:fin >600 R:fin >600 R:ok', a(2, b400), 'FAIL R7', 'three attempts at least'],
    ['a:fin a:fin >600 a:fin >600 a:ok', a(3, b400), 'INCONCLUSIVE', 'three attempts, if the library made the second'],
    ['a:fin a:fin >600 a:fin >600 a:ok', a(2, b400), 'FAIL R6|R7|R6 R7', 'three at least'],
    ['a:fin >600 a:fin a:fin a:fin >600 a:ok', a(3, b400), 'INCONCLUSIVE', 'the second attempt may be four of .NET'],
    [`${x(5, 'a:fin')} a:ok`, a(1), 'INCONCLUSIVE', 'the sixth may be other work: no pause between attempts is known'],
    [`${x(4, 'a:fin')} a:ok`, a(1), 'INCONCLUSIVE', 'five may be one attempt of the newest Java'],
    [`${x(14, 'a:fin')} a:ok`, a(3), 'INCONCLUSIVE', 'fifteen may be three attempts of the newest Java'],
    [`${x(15, 'a:fin')} a:ok`, a(3), 'FAIL R7', 'sixteen are four attempts at least'],
    [`${x(7, 'a:hang100')} a:ok`, a(2), 'INCONCLUSIVE', 'eight may be two attempts of urllib3'],
    [`${x(8, 'a:hang100')} a:ok`, a(2), 'FAIL R7', 'nine are three attempts at least'],
    ['A:fin A:fin A:fin A:ok', a(1), 'INCONCLUSIVE', 'four may be one attempt of .NET'],
    ['A:fin A:fin A:fin A:fin A:ok', a(1), 'FAIL R7', 'five are two attempts at least'],
    ['A:rst A:ok', a(1), 'FAIL R7', '.NET does not repeat after a reset'],
    ['A:fin A:fin A:fin A:fin A:ok', b400, 'FAIL R6', 'five are two attempts of .NET, without a pause'],
    ['A:fin A:rst A:ok', b400, 'FAIL R6', 'the last followed a reset'],
    ['V:fin V:fin V:fin V:fin V:ok', b400, 'FAIL R6', 'five are two attempts of .NET, without a pause'],

    // Long runs.
    [`${x(2, `${x(5, 'a:fin')} >600`)} a:ok`, a(3, b400), 'INCONCLUSIVE', 'three attempts of the newest Java'],
    [`${x(2, `${x(5, 'a:fin')} >600`)} a:ok`, a(2, b400), 'FAIL R6|R7|R6 R7', 'three attempts at least'],
    [`${x(4, `${x(4, 'a:fin')} >600`)} a:ok`, a(5, b400), 'INCONCLUSIVE', 'five attempts of .NET'],
    [`${x(4, `${x(4, 'a:fin')} >600`)} a:ok`, a(4, b400), 'FAIL R6|R7|R6 R7', 'five attempts at least'],
    [`${x(8, 'a:fin a:503 >600')} a:ok`, a(9, b400), 'INCONCLUSIVE', 'nine attempts, each doubled by Java'],
    [`${x(8, 'a:fin a:503 >600')} a:ok`, a(8, b400), 'FAIL R6|R7|R6 R7', 'nine attempts at least'],
    [`${x(8, 'a:fin a:503 >600')} a:503 a:ok`, b400, 'FAIL R6', 'the last followed a status'],
    [
      `${x(8, 'a:fin a:fin >600')} a:ok`,
      { minBackoff: ['400ms', '800ms'] },
      'FAIL R6',
      'pauses of 0.6 s where 0.8 s are due',
    ],
    [
      `${x(8, 'a:fin a:fin >900')} a:ok`,
      { minBackoff: ['400ms', '800ms'] },
      'INCONCLUSIVE',
      'each may have been doubled',
    ],
    [`${x(10, 'a:fin >600')} a:ok`, b400, 'PASS', 'paused as declared, ten times'],
    [`${x(7, 'a:fin a:503r1 >1100')} a:503r1 >300 a:ok`, undefined, 'FAIL R6', 'the last Retry-After was ignored'],
    [`${x(7, 'a:fin a:503r1 >1100')} a:ok`, undefined, 'PASS', 'each Retry-After was kept'],

    // Writes.
    ['B:fin >600 B:ok', b400, 'FAIL R11', 'no library pauses: the program repeated it blindly'],
    ['B:fin >600 l:ok B:ok', b400, 'PASS', 'read back, and not there'],
    ['B:fin l:ok B:ok', undefined, 'PASS', 'read back, and not there'],
    ['B:fin l:ok B:ok', b400, 'FAIL R6', 'read back, but too soon'],
    ['w@1:ok B@1:fin+ l:ok', undefined, 'PASS', 'the look showed that it is done'],
    ['B:fin+ >600 l:ok B:ok', b400, 'INCONCLUSIVE', 'repeated after the look showed the effect: perhaps on purpose'],
    ['w@1:ok B@1:fin B:fin >600 B:ok', b400, 'FAIL R11', 'the third was the program’s, and blind'],
    ['w@1:ok K@1:fin K:ok', b400, 'PASS', 'the documented transparent retry'],
    ['w@1:ok K@1:fin K:fin K:ok', b400, 'FAIL R6', 'the second repeat followed a fresh connection'],
    ['w@1:ok K@1:hang300 K:ok', b400, 'FAIL R6', 'neither Go nor curl repeats after a timeout'],
    ['w@1:ok P@1:fin+ P:fin P:ok', b400, 'FAIL R6', 'the second repeat followed a fresh connection'],
    ['w@1:ok w@2:ok R@1:fin R@2:fin >600 R:ok', a(2, b400), 'PASS', 'curl takes another kept connection, then a pause'],
    ['R:hang300 >600 R:hang300 R:ok', b400, 'FAIL R6', 'no library repeats a POST after its timeout'],
    ['R:cut R:ok', undefined, 'PASS', 'its key keeps it from counting twice'],
    ['R:ok 300 R:ok', undefined, 'PASS', 'by a new connection: the client may have died before it noted the success'],
    ['w@1:ok R@1:ok R@1:ok', undefined, 'FAIL R2', 'sent again on the connection that had brought the success'],
    ['R:fin >600 R@1:ok R@1:ok', b400, 'FAIL R2', 'sent again on the connection that had brought the success'],
    ['w@1:ok V@1:fin+ V:ok', undefined, 'PASS', 'already redeemed after a lost response is success'],
    ['V:fin+ >600 V:ok', b400, 'PASS', 'already redeemed after a lost response is success'],

    // What is never repeated, and by whom.
    ['a:hang150 a:hang150', undefined, 'INCONCLUSIVE', 'the one repeat may be of urllib3 or Net::HTTP'],
    ['a:500 a:500', undefined, 'PASS', 'the program repeated, and gave a read up'],
    ['a:fin a:500', undefined, 'INCONCLUSIVE', 'if Java repeated, the program never did'],
    ['R:fin R:500', undefined, 'FAIL R9', 'the program repeated, and never delivered'],
    [x(5, 'a:fin'), undefined, 'INCONCLUSIVE', 'five may be one attempt of the newest Java'],
    [x(6, 'a:fin'), undefined, 'PASS', 'six are two attempts at least: a read may be given up'],
    [x(4, 'a:hang100'), undefined, 'INCONCLUSIVE', 'four may be one attempt of urllib3'],
    [x(5, 'a:hang100'), undefined, 'PASS', 'five are two attempts at least'],

    // Several customers, connections and processes.
    ['R:fin S:fin >600 R:ok S:ok', b400, 'PASS', 'two receipts, both paused as declared'],
    ['a:fin b:fin >600 a:ok b:ok', b400, 'PASS', 'two reads, both paused as declared'],
    ['w@1:ok w@2:ok a@1:fin b@2:fin >600 a:ok b:ok', b400, 'PASS', 'two reads, both paused as declared'],
    [
      'w@1:ok w@2:ok &a@1:fin &b@2:fin . a:ok b:ok',
      b400,
      'PASS',
      'two kept connections die, and each read comes again',
    ],
    [
      'w@1:ok w@2:ok &R@1:fin &S@2:fin . R:ok S:ok',
      b400,
      'PASS',
      'two kept connections die, and each sale comes again',
    ],
    ['w@1:ok w@2:ok a@1:ok a@2:ok', b400, 'PASS', 'two processes read the same'],
    ['n:ok n:ok', undefined, 'PASS', 'two connections: another program may have asked'],
    // With a declared timeout, a response that a busy machine makes slow excuses nobody.
    ['n:ok n:ok n:ok', { timeout: '1m' }, 'FAIL R2', 'a 404 that is asked for three times'],
    ['c:fin u:ok', undefined, 'FAIL R1', 'a read by another client never counts'],
    ['c:fin u:ok >600 c:ok', b400, 'PASS', 'another client between, and then the repeat, paused'],
    ['c:fin u:fin c:ok u:ok', b400, 'INCONCLUSIVE', 'two clients, each as Java repeats it'],

    // Connections and time-outs.
    ['o@1 2600 a@1:hang400 600 a:ok', { timeout: '3s', ...b400 }, 'PASS', 'its 3 s began when it connected'],
    ['R:hang1000 600 R:ok', { timeout: '3s', ...b400 }, 'PASS', 'it waited less than declared, which no rule forbids'],
    ['&R@1:slow504 300 S:ok . >1500 R@1:ok', b400, 'PASS', 'another sale meanwhile, and the repeat paused'],
  ],
  declared: [
    ['n:ok n:ok', { timeout: '1m' }, 'FAIL R2', 'one client asks again at once for what is not there'],
    ['n:fin n:ok', undefined, 'PASS', 'the 404 came once'],
    ['R:fin >600 R:ok', b400, 'PASS', 'paused as declared'],
    ['R:ok 300 R:ok', undefined, 'PASS', 'a new connection: the client may have been started again'],
  ],
  closing: [
    ['a:fin a:ok', b400, 'FAIL R6', 'no library that repeats closes each connection'],
    ['a:fin 600 a:ok', b400, 'PASS', 'paused as declared'],
  ],
};

judgeScripts(rows);

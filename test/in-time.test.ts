/** Tests that rest on real time begin anew only where a verdict gives the simulator's lateness as its reason. */
import { expect, it } from 'vitest';
import { inTime, noteLateness, playInTime } from './support/in-time.ts';

const late = { verdict: 'INCONCLUSIVE', reason: 'R6: …; but the simulator itself was 1.2 s late then' };
const sure = { verdict: 'FAIL', reason: 'R6: …' };

let tries = 0;

it('a test begins anew when it failed and a verdict in it was late', inTime, () => {
  tries += 1;
  expect(noteLateness(tries < 3 ? late : sure)).toEqual(sure);
});

it('a test does not begin anew for what an assertion says', () => {
  expect("expected 'INCONCLUSIVE' to be 'FAIL'").not.toMatch(inTime.retry.condition);
});

it.each([
  ['again while its verdict is late', [late, late, sure], sure, 3],
  ['once, whatever its verdict is', [{ verdict: 'INCONCLUSIVE' }, sure], { verdict: 'INCONCLUSIVE' }, 1],
])('a client is played %s', async (_, verdicts, expected, played) => {
  let count = 0;
  expect(await playInTime(async () => verdicts[count++])).toEqual(expected);
  expect(count).toBe(played);
});

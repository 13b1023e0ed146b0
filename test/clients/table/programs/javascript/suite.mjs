/** Runs tests of a shop one after the other in one tenant, each with the same receipt. */
import { astrid, behaviour, isFailed, paths, pause, post, receipt } from './kit.mjs';

const headersOf = (name) => (behaviour === 'named' ? { 'x-sim-test-id': name } : {});
const send = (name) =>
  post(paths.receipts, receipt(astrid, behaviour === 'named' ? `suite-${name}` : 'suite-1'), {
    headers: headersOf(name),
  });

const tests = {
  async delivers() {
    if ((await send('delivers'))?.status !== 202) throw new Error('not delivered');
  },
  async repeats() {
    if (isFailed(await send('repeats'))) await pause(60);
    if ((await send('repeats'))?.status !== 202) throw new Error('not repeated');
  },
  async delivered() {
    if ((await send('delivered'))?.status !== 202) throw new Error('not delivered');
  },
};

for (const test of Object.values(tests)) await test();

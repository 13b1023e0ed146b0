/** Awards checkpoints of a challenge in an app. */
import { astrid, behaviour, get, isFailed, johan, paths, pause, post, retry } from './kit.mjs';

const definitionId = '9b1d0c00-cccc-4000-8000-000000000001';
const award = (who) => post(paths.checkpoints, [{ contactId: who.id, definitionId, checkpointAmount: 1 }]);
const progressOf = async (who) => {
  const path = `/api/v3/challenges?contactId=${who.id}&definitionId=${definitionId}`;
  return (await retry(() => get(path)))?.body?.items?.[0]?.completedCheckpoints ?? 0;
};

const ways = {
  async looks() {
    const before = await progressOf(astrid);
    await progressOf(johan);
    let response = await award(astrid);
    for (let i = 0; i < 4 && isFailed(response); i++) {
      await pause(80);
      if ((await progressOf(astrid)) > before) break;
      response = await award(astrid);
    }
    await award(johan);
  },
  async blind() {
    await retry(() => award(astrid));
    await award(johan);
  },
  async 'looks-at-other'() {
    const before = await progressOf(johan);
    let response = await award(astrid);
    for (let i = 0; i < 4 && isFailed(response); i++) {
      await pause(80);
      if ((await progressOf(johan)) > before) break;
      response = await award(astrid);
    }
  },
};

await ways[behaviour]();

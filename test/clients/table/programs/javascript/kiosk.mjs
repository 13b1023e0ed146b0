/** Registers customers who come by: looks each up by e-mail, and creates who is not known. */
import { Agent, request } from 'node:http';
import { advance, astrid, base, behaviour, get, isFailed, johan, pause, paths, post, retry } from './kit.mjs';

const nils = { email: 'nils.ny@example.com', firstName: 'Nils', contactType: 'Member' };
const create = (body) => post(paths.contacts, body);
const lookUp = ({ email }) => get(paths.lookup(email));

/** Asks on a connection of its own. */
const askAnew = (path) =>
  new Promise((resolve) => {
    const asked = request(`${base}${path}`, {
      agent: new Agent({ keepAlive: false }),
      headers: { 'user-agent': 'kiosk' },
    });
    asked.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    asked.on('error', () => resolve(0)).end();
  });

const ways = {
  async drops() {
    await lookUp(nils);
    await create(nils);
    await lookUp(astrid);
    await lookUp(johan);
  },
  async looks() {
    await lookUp(nils);
    let response = await create(nils);
    while (isFailed(response)) {
      await pause(80);
      const found = await lookUp(nils);
      if (found?.status === 200) break;
      if (found?.status === 404) response = await create(nils);
    }
    await lookUp(astrid);
  },
  async blind() {
    await lookUp(nils);
    const response = await retry(() => create(nils));
    if (response?.status === 409) await lookUp(nils);
    await lookUp(johan);
  },
  async 'failed-look'() {
    const found = await lookUp(astrid);
    if (found?.status !== 200) await create({ email: astrid.email, firstName: 'Astrid', contactType: 'Contact' });
    await lookUp(johan);
  },
  async 'failed-look-after-creation'() {
    await lookUp(nils);
    const guest = { ...nils, email: 'guest@example.com', contactType: undefined };
    if (isFailed(await create({ ...guest, contactType: 'Contact' }))) {
      await pause(80);
      const found = await lookUp(guest);
      if (found?.status !== 200) await create({ ...guest, contactType: 'Member' });
    }
  },
  async 'repeats-look'() {
    const found = await retry(() => lookUp(astrid));
    if (found?.status === 404) await create({ email: astrid.email, contactType: 'Contact' });
    await lookUp(johan);
  },
  async 'asks-again'() {
    await lookUp(nils);
    await lookUp(astrid);
    await advance('30s');
    await lookUp(nils);
    await lookUp(johan);
  },
  async stubborn() {
    for (let i = 0; i < 4; i++) {
      if ((await askAnew(paths.lookup(nils.email))) === 200) break;
      await pause(60);
    }
  },
  async 'two-customers'() {
    for (const one of [nils, { ...nils, email: 'ada.ek@example.com', firstName: 'Ada' }]) {
      const found = await retry(() => lookUp(one));
      if (found?.status === 404) await create(one);
      await retry(() => lookUp(one));
    }
  },
};

await ways[behaviour]();

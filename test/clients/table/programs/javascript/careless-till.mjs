/** Looks at the status alone, and drops the body. */
import { request } from 'node:http';
import { astrid, base, johan, paths, pause, receipt } from './kit.mjs';

const send = (body) =>
  new Promise((resolve) => {
    const sent = request(`${base}${paths.receipts}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'user-agent': 'careless/1' },
    });
    sent.on('response', (response) => {
      response.on('error', () => {}).resume();
      resolve(response.statusCode);
    });
    sent.on('error', () => resolve(0)).end(JSON.stringify(body));
  });

for (const who of [astrid, johan]) {
  for (let i = 0; i < 3; i++) {
    if ((await send(receipt(who, `careless-${who.email}`))) === 202) break;
    await pause(80);
  }
  await pause(200);
}

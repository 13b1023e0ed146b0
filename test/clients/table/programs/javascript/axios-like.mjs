/** Retries by an interceptor, at once and without a pause, on a new connection each time: as axios-retry does by default. */
import { request } from 'node:http';
import { astrid, base, behaviour, bonus, johan, pause, paths, receipt } from './kit.mjs';

const interceptors = [];

function send(config) {
  const text = JSON.stringify(config.data);
  return new Promise((resolve, reject) => {
    const sent = request(`${base}${config.url}`, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'application/json, text/plain, */*',
        'content-type': 'application/json',
        'user-agent': 'axios/1.7.9',
        'content-length': Buffer.byteLength(text),
        'accept-encoding': 'gzip, compress, deflate, br',
        connection: 'close',
      },
    });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => (response.statusCode < 400 ? resolve(response) : reject({ config, response })));
    });
    sent.on('error', (error) => reject({ config, error }));
    sent.end(text);
  });
}

const axios = (config) => interceptors.reduce((sent, handle) => sent.catch(handle), send(config));

interceptors.push(async (failure) => {
  const { config } = failure;
  config.retries = (config.retries ?? 0) + 1;
  if (config.retries > 3) throw failure;
  if (behaviour.startsWith('paused')) await pause(100 * config.retries);
  return axios(config);
});

const swallow = () => {};
if (behaviour.endsWith('points')) await axios({ url: paths.bulkPoints, data: [bonus(astrid, 50)] }).catch(swallow);
else await axios({ url: paths.receipts, data: receipt(astrid, 'axios-1') }).catch(swallow);
await axios({ url: paths.receipts, data: receipt(johan, 'axios-2') }).catch(swallow);

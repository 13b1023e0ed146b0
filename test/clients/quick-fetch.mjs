/**
 * As much of Node's fetch as the clients of the tests use, by node:http: it is there at once, while fetch needs several
 * times as long for its first response as the rest of such a program. Like fetch, it repeats nothing by itself.
 */
import { request } from 'node:http';

/**
 * Resolves once a response is there, whole or broken off; rejects when there is no status. Until its body has ended, its
 * connection can't be used again: who does not read it would open another one for the next request.
 */
export function fetch(url, { method = 'GET', headers, body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'user-agent': 'node', accept: '*/*', ...headers }, signal });
    sent.on('response', (response) => {
      const whole = textOf(response);
      const end = () => resolve(responseOf(response, whole));
      whole.then(end, end);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function responseOf(response, whole) {
  const { statusCode: status } = response;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => response.headers[name.toLowerCase()] ?? null },
    text: () => whole,
    json: async () => JSON.parse(await whole),
  };
}

async function textOf(response) {
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Makes a load of keep-alive connections over raw sockets: as little work a request as can be, so that the server is
 * what is measured.
 */
import { connect } from 'node:net';

/**
 * Sends requests over so many connections, one at a time on each, for so long; returns how many responses a second
 * came. `message(n)` is the n-th request as text. Throws on a response whose status isn't the expected one.
 */
export async function load(options) {
  const { rate } = await loadWithLatencies(options);
  return rate;
}

/** Does the same, and returns the median and the 99th percentile of the time to a response in ms, too. */
export async function loadWithLatencies({ port, connections, seconds, message, status }) {
  const run = { sent: 0, answered: 0, until: performance.now() + seconds * 1000, taken: [] };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => drive({ port, message, status, run })));
  const rate = run.answered / ((performance.now() - start) / 1000);
  const sorted = Float64Array.from(run.taken).toSorted();
  const at = (part) => sorted[Math.floor(sorted.length * part)];
  return { rate, p50: at(0.5), p99: at(0.99) };
}

/** Sends so many requests in all; resolves when the last response has come. */
export async function sendAll({ port, connections, count, message, status }) {
  const run = { sent: 0, answered: 0, until: Number.POSITIVE_INFINITY, count };
  await Promise.all(Array.from({ length: connections }, () => drive({ port, message, status, run })));
}

function drive({ port, message, status, run }) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const expected = `HTTP/1.1 ${status}`;
    let pending = '';
    let sentAt = 0;
    const next = () => {
      if (performance.now() >= run.until || run.sent >= (run.count ?? Number.POSITIVE_INFINITY)) {
        socket.end();
        resolve();
      } else {
        const text = message(run.sent++);
        sentAt = performance.now();
        socket.write(text);
      }
    };
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending += chunk;
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /content-length: (\d+)/i.exec(pending)?.[1];
      if (length === undefined || pending.length < end + 4 + Number(length)) return;
      if (!pending.startsWith(expected)) reject(new Error(`expected ${expected}, got: ${pending}`));
      pending = '';
      run.answered++;
      run.taken?.push(performance.now() - sentAt);
      next();
    });
  });
}

/** Returns a request as it goes over the wire. */
export function requestText(method, path, body) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nConnection: keep-alive\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

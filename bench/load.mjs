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

/** Is read into, over and over, by all connections: each looks at what came before the next one reads. */
const received = Buffer.allocUnsafeSlow(64 * 1024);

const [lengthName, headEnd] = [Buffer.from('content-length: '), Buffer.from('\r\n\r\n')];
const zero = 0x30;

/** Returns the number that stands at a place of a text. */
function numberAt(bytes, place) {
  let number = 0;
  for (let at = place; bytes[at] >= zero && bytes[at] <= zero + 9; at++) number = number * 10 + bytes[at] - zero;
  return number;
}

/** Returns the length of the response that begins here, with its head. Throws when it isn't the expected one. */
function lengthOf(bytes, length, status) {
  const [end, named] = [bytes.indexOf(headEnd), bytes.indexOf(lengthName)];
  const isWhole = end >= 0 && end + headEnd.length <= length && named >= 0 && named < end;
  if (isWhole && numberAt(bytes, 'HTTP/1.1 '.length) === status)
    return end + headEnd.length + numberAt(bytes, named + lengthName.length);
  throw new Error(`expected a head with status ${status} and a length, got: ${bytes.toString('latin1', 0, length)}`);
}

/**
 * Drives one connection. Reads into the same memory and looks at bytes: what this process leaves to its garbage collector
 * would be counted as the server's time, the more so the longer its responses are.
 */
function drive({ port, message, status, run }) {
  return new Promise((resolve, reject) => {
    let awaited = 0;
    let sentAt = 0;
    const onread = {
      buffer: received,
      callback: (length, bytes) => {
        if (awaited === 0) awaited = lengthOf(bytes, length, status);
        awaited -= length;
        if (awaited > 0) return true;
        run.answered++;
        run.taken?.push(performance.now() - sentAt);
        next();
        return true;
      },
    };
    const socket = connect({ port, host: '127.0.0.1', onread });
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
    socket.on('connect', next);
    socket.on('error', reject);
  });
}

/** Returns a request as it goes over the wire. */
export function requestText(method, path, body) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nConnection: keep-alive\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

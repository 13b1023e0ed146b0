/**
 * Serves as what everything is measured against: a node:http server that takes a request and responds. With `--parse`
 * it parses JSON too, as any service does.
 */
import { createServer } from 'node:http';

const headers = { 'content-type': 'application/json' };
const answers = { GET: [200, '{"id":"x"}'], POST: [202, '{}'], PATCH: [200, '{}'] };
const parse = process.argv.includes('--parse') ? JSON.parse : () => {};

const server = createServer((request, response) => {
  const [status, body] = answers[request.method] ?? answers.GET;
  const answer = () => response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
  if (request.method === 'GET') return answer();
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    parse(text);
    answer();
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  process.stdout.write(`${JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${port}`, port })}\n`);
});

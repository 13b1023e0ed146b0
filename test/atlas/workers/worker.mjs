/**
 * Sends the requests that it is told of, one after the other, with the client in a file: `node worker.mjs <file>
 * byDefault|recipe`. Each line of its input is one request: name, method, URL, body, key and look, parted by tabs.
 * It says of each in one line that it is done.
 */
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [file, mode] = process.argv.slice(2);
const { [mode]: send } = await import(pathToFileURL(file).href);

for await (const line of createInterface({ input: process.stdin })) {
  const [name, method, url, body, key, look] = line.split('\t');
  const headers = body ? { 'content-type': 'application/json' } : {};
  try {
    await send({ name, method, url, headers, ...(body && { body }), key, look });
    console.log('done');
  } catch (error) {
    console.log(`failed: ${error?.name}: ${String(error?.message).split('\n')[0]}`);
  }
}
process.exit();

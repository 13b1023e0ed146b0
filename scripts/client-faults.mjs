/**
 * Writes into docs/faults.md what clients see of faults. With --check, calls with the quick ones of them that are
 * here, and says where the page says otherwise.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createSim } from '../dist/index.js';
import { clients, rows, see } from './clients/see.mjs';

const page = 'docs/faults.md';
const [begin, end] = ['<!-- What clients see: written by scripts/client-faults.mjs -->', '<!-- until here -->'];
const isCheck = process.argv.includes('--check');

/** Leaves out what differs from run to run: counts of bytes, and garbage. */
const stable = (text) =>
  text
    .replaceAll(/\d+(?= (?:bytes|milliseconds|out of|more))/g, 'N')
    .replace(/[\s:",]*[^\x20-\x7e].*$/s, '')
    .replace(/^(\w+): (?=\1\()/, '');

function wordsOf({ status, error, asked }, { fault: { respond = '' } }) {
  const isCut = ['headers', 'partial', 'bad-chunk'].includes(respond);
  const told = error ? stable(error) : isCut ? '**no error**' : undefined;
  const answer = [status ?? undefined, told].filter((part) => part !== undefined).join(', then ');
  return asked > 1 ? `${answer}; **sent ${asked} times**` : answer;
}

const sims = await Promise.all(
  rows.map(({ fault }) => createSim({ fixtures: 'empty', scenario: { rules: [{ fault }] } })),
);
await Promise.all(sims.map((sim) => sim.listen()));

async function columnOf(client) {
  const version = await client.version();
  if (version === undefined || (isCheck && !client.isQuick)) return { ...client, version };
  const seen = await see(client, sims);
  return { ...client, version, cells: seen.map((one, i) => wordsOf(one, rows[i])) };
}

const columns = await Promise.all(clients.map(columnOf));
await Promise.all(sims.map((sim) => sim.close()));

const json = (fault) =>
  `\`${JSON.stringify(fault)
    .replaceAll('"', '')
    .replaceAll(/([,:])/g, '$1 ')}\``;

/** Returns what was seen of one fault: clients that saw the same stand in one line. */
function sectionOf({ fault }, i) {
  const seenBy = new Map();
  for (const { name, cells } of columns) seenBy.set(cells[i], [...(seenBy.get(cells[i]) ?? []), name]);
  const lines = [...seenBy].map(([words, names]) => `- ${names.join(', ')}: ${words}`);
  return `**${json(fault)}**\n\n${lines.join('\n')}`;
}

/** Returns the words of the page, by fault and client. */
function wordsByPlace(section) {
  const words = new Map();
  let fault = '';
  for (const line of section.split('\n')) {
    fault = /^\*\*(`.*`)\*\*$/.exec(line)?.[1] ?? fault;
    const [, names = '', said = ''] = /^- (.*?): (.*)$/.exec(line) ?? [];
    for (const name of names.split(', ')) words.set(`${name}, ${fault}`, said);
  }
  return words;
}

const text = readFileSync(page, 'utf8');
const [start, stop] = [text.indexOf(begin) + begin.length, text.indexOf(end)];

function write() {
  const missing = columns.filter(({ cells }) => cells === undefined);
  if (missing.length > 0) throw new Error(`not here: ${missing.map(({ name }) => name).join(', ')}`);
  const versions = [...new Set(columns.map(({ version }) => version))].join(', ');
  const section = [`With ${versions}:`, ...rows.map(sectionOf)].join('\n\n');
  writeFileSync(page, `${text.slice(0, start)}\n\n${section}\n\n${text.slice(stop)}`);
}

/**
 * Returns what words of another version have in common with these: that there is an error, and that the response had
 * begun.
 */
const rough = (words) => words.replace(/(?:curl: (\(\d+\))|\b\w+(?:Error|Exception)\b|[A-Z]\w+:).*$/, '$1');

function check() {
  const section = text.slice(start, stop);
  const known = wordsByPlace(section);
  return columns.flatMap(({ name, version, cells = [] }) => {
    const form = section.includes(version) ? (words) => words : rough;
    return cells.flatMap((cell, i) => {
      const place = `${name}, ${json(rows[i].fault)}`;
      const said = known.get(place);
      return form(cell) === form(said ?? '') ? [] : [`${place}: ${cell}; ${page} says: ${said}`];
    });
  });
}

if (isCheck) {
  const wrong = check();
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
} else {
  write();
  console.log(`wrote ${page}`);
}

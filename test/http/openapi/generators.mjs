/**
 * Holds documents against linters and generators of clients, and prints what linters say as a last line of JSON. It runs in the
 * folder that has them installed: node generators.mjs <folder of documents>.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

/** Rules of taste that are off. */
const redoclyRules = {
  // `POST …/webhooks/{id}/redeliver` and `DELETE …/webhooks/faults/{id}` differ by their methods.
  'no-ambiguous-paths': 'off',
};
const spectralRules = {
  // There is nobody to write to.
  'info-contact': 'off',
};

const redocly = await createConfig({ extends: ['recommended'], rules: redoclyRules });
const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, 'recommended']], rules: spectralRules });

async function lint(path) {
  const source = readFileSync(path, 'utf8');
  const problems = await lintFromString({ source, absoluteRef: path, config: redocly });
  const results = await linter.run(JSON.parse(source));
  return [
    ...problems.map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer}`),
    ...results.map(({ code, message, path: at }) => `spectral ${code}: ${message} ${at.join('/')}`),
  ];
}

async function generateClients(path, target) {
  const document = JSON.parse(readFileSync(path, 'utf8'));
  mkdirSync(target);
  writeFileSync(`${target}/openapi-typescript.ts`, astToString(await openapiTypeScript(document)));
  await createClient({ input: document, output: `${target}/hey-api`, logs: { level: 'silent', file: false } });
  await generate({ input: { target: path }, output: { target: `${target}/orval.ts`, client: 'fetch' } });
}

const [folder] = process.argv.slice(2);
const said = {};
// Whatever stands in the document of the service stands in the whole one as well.
for (const name of ['service30', 'whole', 'broken']) said[name] = await lint(`${folder}/${name}.json`);
for (const name of ['service', 'service30', 'whole'])
  await generateClients(`${folder}/${name}.json`, `${folder}/${name}`);
// Generators print what they do before it.
process.stdout.write(`\n${JSON.stringify(said)}`);

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { neededNode, outdatedNode } from '../../../src/cli/process/node-version.ts';

describe('the check of the version', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '100.1.0'])('takes Node %s', (version) => {
    expect(outdatedNode(version)).toBeUndefined();
  });

  it.each(['18.20.8', '20.18.3', '9.99.0'])('says of Node %s that it is too old, and what to do', (version) => {
    expect(outdatedNode(version)).toBe(
      `loyalty-sim needs Node.js 20.19 or later, and this is ${version}; install a newer one from https://nodejs.org, or by "nvm install 20".`,
    );
  });

  it('asks for what package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(engines.node).toBe(`>=${neededNode.join('.')}`);
  });
});

/** What a body or a name holds must not break a report, nor make it look like another. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { githubAnnotations } from '../../src/verdict/report/github-annotations.ts';
import { htmlReport } from '../../src/verdict/report/html.ts';
import { junitReport } from '../../src/verdict/report/junit.ts';
import { markdownReport } from '../../src/verdict/report/markdown.ts';
import { formatTimeline } from '../../src/format/timeline.ts';
import type { ReportedRun } from '../../src/verdict/report/report-items.ts';
import { parseReport, schemaFaults } from '../support/junit.ts';

/** Turned round by a sign of its own, it reads "exe.txt". */
const turned = '\u202Etxt.exe\u2066';
const nasty = `a\u0000\u001b[31m\uFFFE\uD800 <b> & "q" 'p' ]]> ${turned}\r\n\tz`;
const shown =
  String.raw`a\u0000\u001b[31m\ufffe` + `\uFFFD <b> & "q" 'p' ]]> ${String.raw`\u202etxt.exe\u2066\u000d`}\n\tz`;

const check = { description: nasty, verdict: 'FAIL' as const, reason: nasty, requests: [] };
const open = { ...check, verdict: 'INCONCLUSIVE' as const, description: 'open', reason: '' };

const attempt = {
  request: 'default-1',
  at: '',
  startedAt: 1500,
  ms: 250,
  pause: null,
  clockMoved: null,
  outcome: 'success' as const,
  end: turned,
  status: 200,
  fault: { rule: turned, phase: 'before' as const },
  effects: 0,
  webhooks: [],
  transparentRetry: false,
};

const operation = {
  requestLine: `GET /${turned}`,
  endpoint: null,
  retry: null,
  key: { by: 'content' as const, value: nasty },
  verdict: 'FAIL' as const,
  findings: [],
  attempts: [attempt],
};

const run: ReportedRun = {
  name: nasty,
  description: nasty,
  at: '2026-11-21T19:00:00.123Z',
  ms: 2345.6,
  verdict: {
    verdict: 'FAIL',
    reason: nasty,
    checks: [check, open],
    rules: [],
    operations: [operation],
    warnings: [{ code: 'unknown-field', count: 2, message: nasty, requests: ['default-1'] }],
    requests: 1,
    evicted: 0,
  },
};

const python = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([[e.tag, e.attrib] for e in root.iter()]))`;

/** Each element in order, as a parser that is not ours reads it. */
const read = (xml: string): [string, Record<string, string>][] =>
  JSON.parse(execFileSync('python3', ['-c', python], { input: xml, encoding: 'utf8' }));

describe('a report', () => {
  it('writes JUnit XML that any parser reads, with all that was said', () => {
    const [root, suite, , ...cases] = read(junitReport([run]));
    expect(root).toEqual(['testsuites', {}]);
    expect(suite?.[1]).toMatchObject({ name: shown, tests: '3', failures: '2', errors: '1' });
    expect(suite?.[1]).toMatchObject({ timestamp: '2026-11-21T19:00:00', time: '2.346' });
    expect(cases.slice(0, 4)).toEqual([
      ['testcase', { name: shown, classname: 'check', time: '0' }],
      ['failure', { message: shown, type: 'FAIL' }],
      ['testcase', { name: 'open', classname: 'check', time: '0' }],
      ['error', { message: '', type: 'INCONCLUSIVE' }],
    ]);
    expect(cases[4]?.[1]).toMatchObject({ classname: 'operation', time: '1.75' });
  });

  it('keeps to the schema of JUnit XML whatever the names', () => {
    expect(schemaFaults(parseReport(junitReport([run])))).toEqual([]);
  });

  it.each([
    ['Markdown', markdownReport],
    ['HTML', htmlReport],
    ['JUnit XML', junitReport],
    ['annotations', (runs: readonly ReportedRun[]) => githubAnnotations(runs).join('\n')],
  ])('shows in %s what would turn the order of letters', (_, report) => {
    const text = report([run]);
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/);
    expect(text.replaceAll('\\\\', '\\')).toContain(String.raw`\u202etxt.exe\u2066`);
  });

  it('says what is found of several attempts once, and how often', () => {
    const basis = { source: 'policy' as const, text: '' };
    const finding = { rule: 'R6', title: '', level: 'fail' as const, basis, requests: [] };
    const findings = ['soon', 'soon', 'late'].map((message) => ({ ...finding, message, advice: 'wait' }));
    expect(formatTimeline({ ...operation, attempts: [], findings }).slice(1)).toEqual([
      '    ✗ R6: soon (2 times)',
      '    ✗ R6: late',
      '    → wait',
    ]);
  });
});

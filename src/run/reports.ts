/** Reports of scripts that were played. */
import { legible } from '../core/legible.ts';
import { suitesReport } from '../verdict/reports/junit.ts';
import { itemsOf } from '../verdict/reports/reported.ts';
import type { Item } from '../verdict/reports/reported.ts';
import { worst } from '../verdict/retries.ts';
import type { Word } from '../verdict/retries.ts';
import { stepLines, summaryLine, verdictLines } from './lines.ts';
import type { PlayedScenario, PlayedStep } from './played.ts';

export interface PlayedRun {
  readonly scenarios: readonly PlayedScenario[];
  /** Files that have no steps. */
  readonly skipped: readonly string[];
}

/** The worst of all; nothing was played → it doesn't tell. */
export const verdictOf = ({ scenarios }: PlayedRun): Word =>
  scenarios.length === 0 ? 'INCONCLUSIVE' : worst(scenarios.map(({ verdict }) => verdict));

const textReport = (run: PlayedRun): string => {
  const parts = run.scenarios.flatMap((played) => [
    headLine(played),
    ...played.steps.filter(({ isPlayed }) => isPlayed).flatMap(stepLines),
    ...verdictLines(played),
  ]);
  return legible(`${[...parts, summaryLine(run.scenarios, run.skipped.length)].join('\n')}\n`);
};

export const headLine = ({ name, file }: Pick<PlayedScenario, 'name' | 'file'>): string =>
  name === file ? file : `${name} (${file})`;

const jsonReport = (run: PlayedRun): string => legible(`${JSON.stringify({ verdict: verdictOf(run), ...run })}\n`);

/** A suite for each scenario, a case for each step that was played and for each thing judged in the end. */
const junitReport = ({ scenarios }: PlayedRun): string =>
  suitesReport(
    scenarios.map((played) => ({
      name: played.name,
      at: played.at,
      ms: played.ms,
      items: [...played.steps.filter(({ isPlayed }) => isPlayed).map(itemOf), ...itemsOf(played)],
    })),
  );

const itemOf = ({ number, title, verdict, reason, place, ms }: PlayedStep): Item => ({
  kind: 'step',
  name: `${number}. ${title}`,
  verdict,
  messages: [reason ?? '', place].filter((text) => text !== ''),
  advice: [],
  ms,
});

export const reportForms = { text: textReport, json: jsonReport, junit: junitReport } as const;

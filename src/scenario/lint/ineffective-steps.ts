/** Warns about steps that are valid and hardly meant as they are written. */
import { didYouMean } from '../../core/lib/suggest.ts';
import { under, warningAt } from '../../core/validation/diagnostic.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { mayMatchEndpoint } from '../../matching/request-matcher.ts';
import { endpoints } from '../../service/endpoints.ts';
import type { ScenarioSpec } from '../scenario-schema.ts';
import type { Step } from '../steps/step-schema.ts';

export function* lintIneffectiveSteps({ steps = [] }: ScenarioSpec): Steps<Diagnostic[]> {
  const found: Diagnostic[][] = [];
  for (const [i, step] of steps.entries()) {
    found.push([...lintRequest(step), ...lintWithin(step)].map(under('steps', i)));
    yield;
  }
  return found.flat();
}

function lintRequest({ request, expect }: Step): Diagnostic[] {
  if (request === undefined) return [];
  const [place, target] =
    typeof request === 'string'
      ? [['request'], request.slice(request.indexOf(' ') + 1)]
      : [['request', 'path'], request.path];
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return [...lintPlus(query), ...(meansUnserved(expect) ? [] : lintServed(path))].map(under(...place));
}

/** A form field with a plus sign in it means a space, which is hardly ever part of a phone number or an e-mail. */
const lintPlus = (query: string): Diagnostic[] =>
  /=[^&]*\+/.test(query) ? [warningAt([], 'has a + in its query, which means a space: write %2B for a plus sign')] : [];

/** True when a step is there to see how a path that is not served is refused. */
const meansUnserved = (expected: Step['expect']): boolean =>
  [expected?.status ?? []].flat().some((status) => ['404', '4xx', '405'].includes(String(status).toLowerCase()));

function lintServed(path: string): Diagnostic[] {
  // What is captured may hold a slash, or all of the path.
  if (path.includes('${') && !path.startsWith('/')) return [];
  const sent = path.replaceAll(/\$\{[^}]*\}/g, '*');
  if (endpoints.some((endpoint) => mayMatchEndpoint(sent, endpoint))) return [];
  const served = endpoints.flatMap(({ path: own, aliases = [] }) => [own, ...aliases]);
  return [warningAt([], `no endpoint is served at ${path}${didYouMean(path, served)}`)];
}

/** No response is there within so few milliseconds; a number of seconds may have been meant. */
const shortestWait = 60;

function lintWithin({ expect, waitFor }: Step): Diagnostic[] {
  return Object.entries({ expect, waitFor }).flatMap(([name, wait]) => {
    const within = wait?.within;
    if (within === undefined || within >= shortestWait) return [];
    return [warningAt([name, 'within'], `is ${within} ms; write "${within}s" for seconds`)];
  });
}

/** Regular expressions that can't keep the whole program busy: those that could are refused. */

const longestPattern = 200;
const mostRepetitions = 3;
const mostOpen = 10;

/** No longer text is tried, by how many repetitions there are: what is to try grows with a power of its length. */
const longestTried = [10_000, 2000, 300, 100];

/** So many ways to fit a text take less than half a second; each thing that may be there or not doubles them. */
const mostWays = 20_000_000;

const tokenPattern =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g;

/** A regular expression by Unicode's rules where it keeps to them: they know more, and allow fewer slips. */
export function compileRegex(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** How long a text it is tried on at the most. */
export function maxInputLength(source: string): number {
  const tokens = tokensOf(source);
  const repetitions = repetitionsIn(tokens);
  const choices = structureOf(tokens).open - repetitions;
  // A text of length n can be shared out in about n ** k / k! ways.
  let ways = mostWays / 2 ** choices;
  for (let k = 2; k <= repetitions + 1; k++) ways *= k;
  return Math.min(longestTried[repetitions] ?? 0, Math.floor(ways ** (1 / (repetitions + 1))));
}

/** Why a regular expression can't be used; undefined when it can. */
export function diagnoseRegex(source: string): string | undefined {
  if (source.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    // What is too large is only found when it is tried.
    compileRegex(source).test('');
  } catch (error) {
    // Without the expression itself, which may hold a key.
    const why = error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : String(error);
    return `is not a regular expression: ${why}`;
  }
  const slow = explainSlowness(tokensOf(source));
  return slow === undefined ? undefined : `${slow}, so that trying it could take longer than anybody waits`;
}

const tokensOf = (source: string): readonly string[] => source.match(tokenPattern) ?? [];

const repetitionsIn = (tokens: readonly string[]): number =>
  tokens.filter((token) => {
    const quantifier = quantifierOf(token);
    return quantifier?.isExact === false && quantifier.most > 1;
  }).length;

interface RegexGroup {
  /** Whether it repeats or chooses inside, so that repeating it could be tried in very many ways. */
  isLoose: boolean;
  alternatives: number;
}

interface Structure {
  /** Things whose number is open; of a choice, so many such things as it comes to. */
  readonly open: number;
  readonly isLooseRepeated: boolean;
}

function structureOf(tokens: readonly string[]): Structure {
  const groups: RegexGroup[] = [{ isLoose: false, alternatives: 1 }];
  let [open, isLooseRepeated] = [0, false];
  let closed: RegexGroup | undefined;
  for (const token of tokens) {
    const quantifier = quantifierOf(token);
    if (quantifier && quantifier.most > 1 && closed?.isLoose) isLooseRepeated = true;
    if (quantifier && !quantifier.isExact) open++;
    if (token === '|' || quantifier?.isExact === false) for (const group of groups) group.isLoose = true;
    const around = groups.at(-1);
    if (token === '|' && around) around.alternatives++;
    if (token.startsWith('(')) groups.push({ isLoose: false, alternatives: 1 });
    closed = token === ')' ? groups.pop() : undefined;
    open += Math.log2(closed?.alternatives ?? 1);
  }
  return { open: open + Math.log2(groups[0]?.alternatives ?? 1), isLooseRepeated };
}

/** What could make trying it slow, on some text. */
function explainSlowness(tokens: readonly string[]): string | undefined {
  const { open, isLooseRepeated } = structureOf(tokens);
  if (isLooseRepeated) return 'repeats a group that itself repeats or chooses';
  if (tokens.some((token) => /^\\[1-9k]/.test(token))) return 'refers back to a group';
  if (open > mostOpen) return `leaves more than ${mostOpen} things open, or as much by choices`;
  return repetitionsIn(tokens) > mostRepetitions ? `has more than ${mostRepetitions} repetitions` : undefined;
}

interface Quantifier {
  readonly most: number;
  readonly isExact: boolean;
}

function quantifierOf(token: string): Quantifier | undefined {
  if (/^[*+]/.test(token)) return { most: Number.POSITIVE_INFINITY, isExact: false };
  if (token.startsWith('?')) return { most: 1, isExact: false };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? [];
  if (least === undefined) return undefined;
  if (!comma) return { most: Number(least), isExact: true };
  return { most: most ? Number(most) : Number.POSITIVE_INFINITY, isExact: false };
}

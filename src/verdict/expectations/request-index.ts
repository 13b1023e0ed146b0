import type { RequestView } from '../../matching/request-view.ts';
import type { ExpectedRequest } from '../../scenario/expectations/expected-request-schema.ts';
import { isLiteralPath } from '../../matching/request-matcher.ts';
import type { FieldMatcher } from '../../matching/request-matcher.ts';
import type { RequestPattern } from './request-pattern.ts';

type Calls = readonly RequestView[];

const none: Calls = [];

/** The calls to one place, by what stands in them. */
class TargetGroup {
  readonly calls: Calls;
  readonly #byField = new Map<string, ReadonlyMap<string, Calls>>();

  constructor(calls: Calls) {
    this.calls = calls;
  }

  /** Those that may have what is wanted in a field. */
  with({ name, wanted: { literals: values, matchesAbsent: isMetByNothing }, valuesIn }: FieldMatcher): Calls {
    if (!values || isMetByNothing) return this.calls;
    const byValue = this.#byField.get(name) ?? grouped(this.calls, (asked) => valuesIn(asked).map(String));
    this.#byField.set(name, byValue);
    const [found = none, ...others] = values.map((value) => byValue.get(value) ?? none);
    return others.every(({ length }) => length === 0) ? found : inOrder([found, ...others]);
  }
}

/**
 * Finds the calls that an expectation may mean, without asking all of them: most expectations name a place, and a
 * value to be found there. So thousands of expectations cost about as much as the calls that they mean.
 */
export class RequestIndex {
  readonly #calls: Calls;
  readonly #byEndpoint: ReadonlyMap<string, Calls>;
  readonly #byPath: ReadonlyMap<string, Calls>;
  readonly #places = new Map<string, TargetGroup>();

  constructor(calls: Calls) {
    this.#calls = calls;
    this.#byEndpoint = grouped(calls, ({ call }) => [call.endpoint ?? '']);
    this.#byPath = grouped(calls, ({ call }) => [call.exchange.path]);
  }

  /** The calls to the place that is meant, oldest first. */
  atTarget(kind: RequestPattern): Calls {
    return this.#groupFor(kind).calls;
  }

  /** Of the calls to the place that is meant, the fewest that are sure to hold all that are meant. */
  candidates(kind: RequestPattern): Calls {
    const place = this.#groupFor(kind);
    const lists = kind.fields.map((field) => place.with(field));
    return lists.reduce((fewest, calls) => (calls.length < fewest.length ? calls : fewest), place.calls);
  }

  /** Calls that may come near to what is meant: the first that have one of the values, and the first of all. */
  nearCandidates(kind: RequestPattern, count: number): Calls {
    const place = this.#groupFor(kind);
    const lists = [...kind.fields.map((field) => place.with(field)), place.calls];
    return inOrder(lists.map((calls) => calls.slice(0, count)));
  }

  #groupFor({ spec: written, isAtTarget }: RequestPattern): TargetGroup {
    const { endpoint, method, path } = written;
    const name = JSON.stringify([endpoint, method, path]);
    const place =
      this.#places.get(name) ?? new TargetGroup(this.#atEndpointOrPath(written).filter(({ call }) => isAtTarget(call)));
    this.#places.set(name, place);
    return place;
  }

  #atEndpointOrPath({ endpoint, path }: ExpectedRequest): Calls {
    if (path !== undefined && isLiteralPath(path)) return this.#byPath.get(path) ?? none;
    if (endpoint === undefined) return this.#calls;
    return inOrder([endpoint].flat().map((id) => this.#byEndpoint.get(id) ?? none));
  }
}

function grouped(calls: Calls, namesOf: (asked: RequestView) => readonly string[]): ReadonlyMap<string, Calls> {
  const groups = new Map<string, RequestView[]>();
  for (const asked of calls) {
    for (const name of new Set(namesOf(asked))) {
      const group = groups.get(name);
      if (group) group.push(asked);
      else groups.set(name, [asked]);
    }
  }
  return groups;
}

/** Each once, oldest first. */
const inOrder = (lists: readonly Calls[]): Calls =>
  [...new Set(lists.flat())].toSorted((a, b) => a.call.exchange.number - b.call.exchange.number);

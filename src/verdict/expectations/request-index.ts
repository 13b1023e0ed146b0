import { appendTo } from '../../core/lib/collections.ts';
import { IndexInSteps, withIndexes } from '../../core/time/index-in-steps.ts';
import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { RequestView } from '../../matching/request-view.ts';
import type { ExpectedRequest } from '../../scenario/expectations/expected-request-schema.ts';
import { isLiteralPath } from '../../matching/request-matcher.ts';
import type { FieldMatcher } from '../../matching/request-matcher.ts';
import type { RequestPattern } from './request-pattern.ts';

type Calls = readonly RequestView[];

type Groups = ReadonlyMap<string, Calls>;

const none: Calls = [];

/** Limits the fields that near misses are looked for by. */
const maxFieldLists = 20;

/** Lists the requests to one target, by the values of their fields. */
class TargetGroup {
  readonly calls: Calls;
  readonly #byField = new Map<string, IndexInSteps<Groups>>();

  constructor(calls: Calls) {
    this.calls = calls;
  }

  /** Returns the requests that may have an expected value in a field. */
  with({ name, wanted: { literals: values, matchesAbsent: isMetByNothing }, valuesIn }: FieldMatcher): Calls {
    if (!values || isMetByNothing) return this.calls;
    const byValue =
      this.#byField.get(name) ?? new IndexInSteps(() => grouped(this.calls, (view) => valuesIn(view).map(String)));
    this.#byField.set(name, byValue);
    const [found = none, ...others] = values.map((value) => byValue.value.get(value) ?? none);
    return others.every(({ length }) => length === 0) ? found : inOrder([found, ...others]);
  }
}

/**
 * Finds the requests that an expectation may mean without a look at all of them: most expectations name a target and a
 * value in it. So thousands of expectations cost about as much as the requests that they mean.
 */
export class RequestIndex {
  readonly #calls: Calls;
  readonly #byEndpoint: Groups;
  readonly #byPath: Groups;
  readonly #targets = new Map<string, IndexInSteps<TargetGroup>>();

  private constructor(calls: Calls, { byEndpoint, byPath }: { readonly byEndpoint: Groups; readonly byPath: Groups }) {
    this.#calls = calls;
    this.#byEndpoint = byEndpoint;
    this.#byPath = byPath;
  }

  static *of(calls: Calls): Steps<RequestIndex> {
    const byEndpoint = yield* grouped(calls, ({ call }) => [call.endpoint ?? '']);
    const byPath = yield* grouped(calls, ({ call }) => [call.exchange.path]);
    return new RequestIndex(calls, { byEndpoint, byPath });
  }

  /** Returns the requests to a pattern's target, oldest first. */
  atTarget(kind: RequestPattern): Calls {
    return this.#groupFor(kind).calls;
  }

  /** Returns the smallest list that surely holds all requests of a pattern. */
  candidates(kind: RequestPattern): Calls {
    const target = this.#groupFor(kind);
    const lists = kind.fields.map((field) => target.with(field));
    return lists.reduce((fewest, calls) => (calls.length < fewest.length ? calls : fewest), target.calls);
  }

  /** Returns candidates for near misses: the first requests with one of the values, and the first of all. */
  nearCandidates(kind: RequestPattern, count: number): Calls {
    const target = this.#groupFor(kind);
    const lists = [...kind.fields.slice(0, maxFieldLists).map((field) => target.with(field)), target.calls];
    return inOrder(lists.map((calls) => calls.slice(0, count)));
  }

  #groupFor({ spec, isAtTarget }: RequestPattern): TargetGroup {
    const { endpoint, method, path } = spec;
    const name = JSON.stringify([endpoint, method, path]);
    const atPlace = (): Calls => this.#atEndpointOrPath(spec);
    const target = this.#targets.get(name) ?? new IndexInSteps(() => targetGroup(atPlace(), isAtTarget));
    this.#targets.set(name, target);
    return target.value;
  }

  #atEndpointOrPath({ endpoint, path }: ExpectedRequest): Calls {
    if (path !== undefined && isLiteralPath(path)) return this.#byPath.get(path) ?? none;
    if (endpoint === undefined) return this.#calls;
    return inOrder([endpoint].flat().map((id) => this.#byEndpoint.get(id) ?? none));
  }
}

function* grouped(calls: Calls, namesOf: (view: RequestView) => readonly string[]): Steps<Groups> {
  const groups = new Map<string, RequestView[]>();
  for (const [i, view] of calls.entries()) {
    if (i % 250 === 249) yield;
    const names = view.isLong ? yield* withIndexes(() => namesOf(view)) : namesOf(view);
    for (const name of new Set(names)) appendTo(groups, name, view);
  }
  return groups;
}

function* targetGroup(calls: Calls, isAtTarget: RequestPattern['isAtTarget']): Steps<TargetGroup> {
  const found: RequestView[] = [];
  yield* forEachInSteps(calls, (view) => {
    if (isAtTarget(view.call)) found.push(view);
  });
  return new TargetGroup(found);
}

/** Returns each request once, oldest first. */
const inOrder = (lists: readonly Calls[]): Calls =>
  [...new Set(lists.flat())].toSorted((a, b) => a.call.exchange.number - b.call.exchange.number);

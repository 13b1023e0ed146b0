/** What is well formed in a rule, and yet can't mean anything. */
import type * as z from 'zod';
import { parseTimestamp } from '../core/clock.ts';
import { didYouMean } from '../core/warning.ts';
import { endpoints } from '../resources/endpoints.ts';
import type { Finding } from './findings.ts';
import { matchFields, ruleFields } from './schema.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const endpointIds = endpoints.map(({ id }) => id);

export function contradictions(sent: unknown): Finding[] {
  const rule = legible(ruleFields, sent);
  const match = legible(matchFields, fieldOf(sent, 'match'));
  return [...endpointFindings(match), ...methodFindings(match), ...windowFindings(rule)];
}

/** The fields that are as their schemas want them; whoever reads the others has been told. */
function legible<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  sent: unknown,
): { readonly [Name in keyof Shape]?: z.output<Shape[Name]> } {
  const parsed = Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(fieldOf(sent, name)).data]);
  // Each was parsed by the schema of its own name.
  return Object.fromEntries(parsed) as { [Name in keyof Shape]?: z.output<Shape[Name]> };
}

const fieldOf = (sent: unknown, name: string): unknown =>
  typeof sent === 'object' && sent !== null ? (sent as Readonly<Record<string, unknown>>)[name] : undefined;

type Match = ReturnType<typeof legible<typeof matchFields>>;
type Rule = ReturnType<typeof legible<typeof ruleFields>>;

function endpointFindings({ endpoint }: Match): Finding[] {
  const isList = Array.isArray(endpoint);
  return [endpoint ?? []].flat().flatMap((id, i) => {
    if (endpointIds.includes(id)) return [];
    const path = ['match', 'endpoint', ...(isList ? [i] : [])];
    return [{ path, message: `is "${id}", and there is no endpoint of this id${didYouMean(id, endpointIds)}` }];
  });
}

function methodFindings({ method }: Match): Finding[] {
  if (method === undefined || methods.includes(method.toUpperCase())) return [];
  const hint = didYouMean(method.toUpperCase(), methods);
  return [{ path: ['match', 'method'], message: `is "${method}", which is no method${hint} (${methods.join(', ')})` }];
}

function windowFindings({ from, until }: Rule): Finding[] {
  const [start, end] = [from, until].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  if (start === undefined || end === undefined || start < end) return [];
  return [{ path: ['until'], message: `is ${until}, no later than from (${from}): the window is empty` }];
}

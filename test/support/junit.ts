/**
 * Checks what the schema of Ant's JUnit task asks of a report, with a reader of XML that is strict enough to see it
 * kept.
 */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

const text = /^[^<&\n]*$/;
const token = /^[^\s<&]([^<&\n]*[^\s<&])?$/;
const count = /^\d+$/;
const seconds = /^\d+(\.\d+)?$/;
const told = { message: text, type: token };

/** Lists for each element its attributes, all of which are to be there, and its children in order. */
const rules: Readonly<
  Record<string, { readonly attributes: Readonly<Record<string, RegExp>>; readonly inside: RegExp }>
> = {
  testsuites: { attributes: {}, inside: /^(testsuite )*$/ },
  testsuite: {
    attributes: {
      package: token,
      id: count,
      name: token,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
      hostname: token,
      tests: count,
      errors: count,
      failures: count,
      time: seconds,
    },
    inside: /^properties (testcase )*system-out system-err $/,
  },
  testcase: { attributes: { name: token, classname: token, time: seconds }, inside: /^((skipped|error|failure) )?$/ },
  properties: { attributes: {}, inside: /^$/ },
  failure: { attributes: told, inside: /^$/ },
  skipped: { attributes: {}, inside: /^$/ },
  error: { attributes: told, inside: /^$/ },
  'system-out': { attributes: {}, inside: /^$/ },
  'system-err': { attributes: {}, inside: /^$/ },
};

/** Says in words what is wrong with an element and those inside it. */
export function schemaFaults({ name, attributes, children }: Element): string[] {
  const rule = rules[name];
  if (!rule) return [`<${name}> is not known`];
  const names = Object.keys({ ...rule.attributes, ...attributes });
  const wrong = names.filter((one) => !rule.attributes[one]?.test(withoutEntities(attributes[one] ?? '<')));
  const inside = children.map((child) => `${child.name} `).join('');
  return [
    ...wrong.map((one) => `${name}.${one}: ${attributes[one]}`),
    ...(rule.inside.test(inside) ? [] : [`<${name}> holds ${inside}`]),
    ...children.flatMap(schemaFaults),
  ];
}

const withoutEntities = (value: string): string => value.replaceAll(/&(amp|lt|gt|quot|apos|#\d+);/g, '.');

const tag = /\s*<(?<close>\/?)(?<name>[\w-]+)(?<attributes>(?:\s+[\w-]+="[^"<]*")*)\s*(?<empty>\/?)>/y;

/** Throws when it is not well-formed, or holds a text outside of tags, but for the output of a suite. */
export function parseReport(xml: string): Element {
  const [head] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml) ?? [];
  if (head === undefined) throw new Error('no XML declaration');
  const open: Element[] = [{ name: '', attributes: {}, children: [] }];
  for (tag.lastIndex = head.length; xml.slice(tag.lastIndex).trim() !== '';) {
    const at = tag.lastIndex;
    const output = open.at(-1)?.name === 'system-out' ? (/^[^<]*/.exec(xml.slice(at))?.[0] ?? '') : '';
    tag.lastIndex += output.length;
    const found = tag.exec(xml)?.groups;
    if (!found) throw new Error(`not well-formed: ${xml.slice(at, at + 80)}`);
    step(open, found);
  }
  const [root] = open[0]?.children ?? [];
  if (open.length !== 1 || !root) throw new Error('an element is not closed');
  return root;
}

function step(open: Element[], { close, name = '', attributes = '', empty }: Readonly<Record<string, string>>): void {
  if (close) {
    if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    return;
  }
  const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(
    ([, key = '', value = '']) => [key, value] as const,
  );
  const element: Element = { name, attributes: Object.fromEntries(pairs), children: [] };
  open.at(-1)?.children.push(element);
  if (!empty) open.push(element);
}

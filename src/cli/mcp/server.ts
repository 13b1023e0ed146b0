/** Serves the tools and pages to one agent, over its connection. */
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as z from '../../core/validation/deferred-zod.ts';
import { redactAll } from '../../core/exchange/redact.ts';
import { validateAgainst } from '../../core/validation/schema-diagnostics.ts';
import { packageVersion } from '../../package/package-info.ts';
import { printNote } from '../process/terminal.ts';
import { boundData, boundText } from './bounded.ts';
import { docsFiles } from './docs.ts';
import { JudgedVerdicts } from './judged-verdicts.ts';
import { McpServer, serveStdio, StdioServerTransport } from './sdk.ts';
import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from './sdk.ts';
import type { Simulators } from './simulators.ts';
import { faultTools } from './tools/fault-tools.ts';
import { programTools } from './tools/program-tools.ts';
import { requestTools } from './tools/request-tools.ts';
import { simulatorTools } from './tools/simulator-tools.ts';
import { timeTools } from './tools/time-tools.ts';
import { verdictTools } from './tools/verdict-tools.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

/** Lists the tools in the order in which agents see them. */
const allTools: readonly Tool[] = [
  ...programTools,
  ...verdictTools,
  ...simulatorTools,
  ...requestTools,
  ...faultTools,
  ...timeTools,
];

const instructions = `loyalty-sim serves a retail customer data and loyalty API on this machine, injects faults, and judges how a client retried.
To fix a client: run_client with a scenario, or explore_client without one; read the findings; do what their advice says, in the client and not in the scenario; run it again until it is PASS. explain_finding explains a finding by its id. Then check_conformance tries every fault at every endpoint that the client calls.
Findings name a rule and an advice. FAIL: the journal proves that the client broke a rule. INCONCLUSIVE: no request came, or a planned fault never fired, so fix the test. The resource loyalty-sim://docs/agents.md says more.`;

export interface AgentConnectionOptions {
  readonly simulators: Simulators;
  /** Is false to leave out the tools that run commands of the client. */
  readonly withPrograms: boolean;
  readonly input: Readable;
  readonly output: Writable;
  /** Aborts when the server ends: programs are killed, and waits end. */
  readonly ending: AbortSignal;
}

export interface AgentConnection {
  /** Resolves when all that has come in is responded to. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves an agent until the connection is closed. */
export function serveAgent({
  simulators,
  withPrograms,
  input,
  output,
  ending,
}: AgentConnectionOptions): AgentConnection {
  const verdicts = new JudgedVerdicts();
  const calls = new Set<Promise<unknown>>();
  const tools = allTools.filter(({ runsPrograms = false }) => withPrograms || !runsPrograms);
  const callTool = (tool: Tool, sent: unknown, server: ServerContext): Promise<CallToolResult> => {
    const signal = AbortSignal.any([server.mcpReq.signal, ending]);
    const context = { simulators, verdicts, signal, onProgress: progressOf(server) };
    const call = respond(tool, sent, context).finally(() => calls.delete(call));
    calls.add(call);
    return call;
  };
  const create = (): McpServer => {
    const server = new McpServer({ name: 'loyalty-sim', version: packageVersion() }, { instructions });
    for (const tool of tools) {
      const { name, title, description } = tool;
      const inputSchema = standardSchemaOf(tool.input);
      server.registerTool(
        name,
        { title, description, inputSchema, annotations: annotationsOf(tool) },
        (sent, context) => callTool(tool, sent, context),
      );
    }
    for (const { uri, name, description, mimeType, read } of docsFiles()) {
      server.registerResource(name, uri, { description, mimeType }, () => ({
        contents: [{ uri, mimeType, text: read() }],
      }));
    }
    return server;
  };
  const transport = new StdioServerTransport(input, output);
  const { close } = serveStdio(create, { transport, onerror: (error) => printNote(`mcp: ${error.message}`) });
  const idle = async (): Promise<void> => {
    // What has come in reaches a tool within some turns, and its response leaves within some.
    for (let turn = 0; turn < quietTurns; turn++) {
      if (calls.size > 0) turn = 0;
      await Promise.allSettled(calls);
      await setImmediate();
    }
  };
  return { idle, close };
}

/** Counts the turns of the event loop without a call after which none is under way. */
const quietTurns = 10;

const annotationsOf = ({ effect, runsPrograms = false }: Tool) => ({
  readOnlyHint: effect === 'read',
  destructiveHint: effect === 'replace' || runsPrograms,
  idempotentHint: effect === 'read',
  openWorldHint: runsPrograms,
});

/** Returns the schema in the form that the SDK takes, with our own messages. */
const standardSchemaOf = (schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> => ({
  '~standard': {
    version: 1,
    vendor: 'loyalty-sim',
    validate: (sent: unknown = {}) => {
      const wrong = validateAgainst(schema, sent);
      if (wrong.length === 0) return { value: schema.parse(sent) };
      return { issues: wrong.map(({ path, message }) => ({ path, message })) };
    },
    jsonSchema: {
      input: () => z.toJSONSchema(schema, { io: 'input' }),
      output: () => z.toJSONSchema(schema, { io: 'output' }),
    },
  },
});

/** Tells a caller who asked for it how far a call is. */
function progressOf({ mcpReq }: ServerContext): ToolContext['onProgress'] {
  const { _meta: meta } = mcpReq;
  const token = meta?.progressToken;
  if (token === undefined) return () => {};
  return (progress, message) => {
    const params = { progressToken: token, progress, message };
    // A caller that has gone hears nothing.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** Runs a tool. What goes wrong is a result too, which says what, where, and what was expected. */
async function respond(tool: Tool, sent: unknown, context: ToolContext): Promise<CallToolResult> {
  const withoutKeys = (text: string): string => context.simulators.withoutKeys(text);
  try {
    const { lines, data } = await tool.run(sent, context);
    const bounded = boundData(redactAll(data) as ToolResult['data']);
    const structuredContent = JSON.parse(withoutKeys(JSON.stringify(bounded)));
    const shown = lines ? (redactAll(lines) as string[]) : JSON.stringify(structuredContent, null, 2).split('\n');
    return { content: [{ type: 'text', text: withoutKeys(boundText(shown)) }], structuredContent };
  } catch (error) {
    const text = withoutKeys(String(redactAll(messageOf(error, context))));
    return { content: [{ type: 'text', text }], isError: true };
  }
}

/** Names errors that tell their reader what to do; the modules of some are only loaded when needed. */
const expectedErrors = new Set(['InputError', 'OptionError', 'InUseError', 'NoSimError', 'ListenError']);

function messageOf(error: unknown, { signal }: ToolContext): string {
  if (signal.aborted) return 'Cancelled: all programs that it started are ended.';
  if (!(error instanceof Error)) return `Internal error: ${String(error)}`;
  if (expectedErrors.has(error.name)) return inFieldNames(error.message);
  printNote(error.stack ?? error.message);
  return `This is an internal error of loyalty-sim: ${error.message}`;
}

/** Returns a message about flags as one about the fields of a tool: `seed` for `--seed`. */
const inFieldNames = (message: string): string =>
  message.replaceAll(/--(?<name>[a-z][a-z-]*)(?=:| )/g, (_, name: string) =>
    name.replaceAll(/-(?<letter>[a-z])/g, (__, letter: string) => letter.toUpperCase()),
  );

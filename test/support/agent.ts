/** Connects an agent to `loyalty-sim mcp` by the official client: it knows what the tools say, and nothing else. */
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { folderWith } from './folders.ts';
import { noteLateness } from './in-time.ts';

interface AgentOptions {
  /** Holds what follows `mcp` on the command line. */
  readonly args?: readonly string[];
  /** Is `auto` for the latest version of the protocol; that of 2025 unless given. */
  readonly era?: 'legacy' | 'auto';
  /** True for an agent of several tests, which close it themselves. */
  readonly isShared?: boolean;
  /** Names the folder in which the commands run; a new one unless given. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ToolAnswer {
  readonly text: string;
  // What each tool returns differs, and tests look at some of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly isError: boolean;
}

export interface Agent {
  readonly client: Client;
  readonly pid: number;
  /** Lists what came on standard output and is no message of the protocol. */
  readonly protocolErrors: readonly string[];
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<ToolAnswer>;
  readonly close: () => Promise<void>;
}

const connected = new Set<Agent>();

/** Closes all agents; is to be called after each test. */
export async function closeAgents(): Promise<void> {
  await Promise.all([...connected].map((agent) => agent.close()));
}

/** No call takes longer, in ms. */
const longest = 100_000;

/** Starts the built command, and connects to it. */
export async function connectAgent({
  args = [],
  era = 'legacy',
  isShared = false,
  folder = isShared ? tmpdir() : folderWith(),
  env = {},
}: AgentOptions = {}): Promise<Agent> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LOYALTY_SIM_'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('dist/cli.cjs'), 'mcp', ...args],
    cwd: folder,
    env: { ...(Object.fromEntries(own) as Record<string, string>), ...env },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  const protocolErrors: string[] = [];
  Object.assign(client, { onerror: ({ message }: Error) => protocolErrors.push(message) });
  await client.connect(transport);
  const agent: Agent = {
    client,
    pid: transport.pid ?? 0,
    protocolErrors,
    call: async (name, sent = {}, signal) => {
      const result = await client.callTool(
        { name, arguments: { ...sent } },
        { timeout: longest, ...(signal && { signal }) },
      );
      const content = result.content as { readonly text?: string }[];
      const text = content.map((part) => part.text ?? '').join('\n');
      noteLateness(text);
      return { text, data: result.structuredContent, isError: result.isError === true };
    },
    close: async () => {
      connected.delete(agent);
      await client.close();
    },
  };
  if (!isShared) connected.add(agent);
  return agent;
}

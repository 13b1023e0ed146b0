/** Defines what a tool is, which an agent calls by its name. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { JudgedVerdicts } from './judged-verdicts.ts';
import type { Simulators } from './simulators.ts';

/** Holds what a tool responds with: lines for people and models (default: the data), and the same as data. */
export interface ToolResult {
  readonly lines?: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ToolContext {
  readonly simulators: Simulators;
  readonly verdicts: JudgedVerdicts;
  /** Aborts when the caller cancels, or the server ends: programs are killed, and waits end. */
  readonly signal: AbortSignal;
  /** Tells the caller how far a long call is. */
  readonly onProgress: (done: number, message: string) => void;
}

export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** `read` changes nothing, `add` keeps what there was, `replace` may lose what there was. */
  readonly effect: 'read' | 'add' | 'replace';
  /** True for a tool that runs a command of the caller (default: false). */
  readonly runsPrograms?: boolean;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolResult>;
}

/** Returns the tool, whose input was parsed by its own schema whenever it is run. */
export const defineTool = <Input extends z.ZodType>(tool: Tool<Input>): Tool => tool as unknown as Tool;

/** Names a simulator and a tenant, as all tools that talk to one do. */
export const targetFields = {
  simulator: z
    .string()
    .optional()
    .describe('Id of a simulator, as start_simulator and list_simulators return it (default: the only one)'),
  tenant: z.string().optional().describe('Name of a tenant of it (default: default)'),
};

/** Accepts the response of a control call as it is: tools hand it on. */
export const anyObject = z.looseObject({});

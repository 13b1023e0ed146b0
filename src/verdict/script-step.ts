import type { Asked } from '../scenario/asked.ts';

/** The header by which a script says that a call is a step of its own. */
export const stepHeader = 'x-sim-step';

export const isFromScript = ({ call }: Asked): boolean => call.header(stepHeader) !== undefined;

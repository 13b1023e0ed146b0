import type { RequestView } from '../../matching/request-view.ts';

/** The header by which a script says that a call is a step of its own. */
export const stepHeader = 'x-sim-step';

export const isFromScript = ({ call }: RequestView): boolean => call.header(stepHeader) !== undefined;

export { openWire, rawRequest } from '../../support/wire.ts';

/** How many responses have come. */
export const statusesIn = (heard: Buffer): number => heard.toString('latin1').match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;

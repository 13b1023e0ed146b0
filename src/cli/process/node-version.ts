/** Holds the oldest Node that the command runs on, as package.json requires it. */
export const neededNode = [20, 19] as const;

/** Returns a message if the running version, such as 18.20.8, is too old; undefined otherwise. */
export function outdatedNode(running: string): string | undefined {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const [neededMajor, neededMinor] = neededNode;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  const needed = neededNode.join('.');
  return `loyalty-sim needs Node.js ${needed} or later, and this is ${running}; install a newer one from https://nodejs.org, or by "nvm install ${neededMajor}".`;
}

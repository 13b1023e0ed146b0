/** The oldest Node that the command runs on: what package.json asks for, in numbers. */
export const neededNode = [20, 19] as const;

/** What to tell a person whose Node is too old, as 18.20.8; undefined when it will do. */
export function outdatedNode(running: string): string | undefined {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  const [neededMajor, neededMinor] = neededNode;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  const needed = neededNode.join('.');
  return `loyalty-sim needs Node.js ${needed} or later, and this is ${running}; take a newer one from https://nodejs.org, or by "nvm install ${neededMajor}".`;
}

/**
 * Measures the processor time that this process spends on some work, in ms: what else the machine does counts for
 * nothing.
 */
export async function cpuTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

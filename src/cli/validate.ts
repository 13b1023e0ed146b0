export async function validate(_files: string[], _flags: object): Promise<number> {
  return 0;
}

/** Knows which files are being written by our own servers, so that a batch leaves them alone. */

const open = new Map<string, number>();

/** Marks a file as being uploaded, until the returned function is called. */
export function beginUpload(path: string): () => void {
  open.set(path, (open.get(path) ?? 0) + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(path) ?? 1) - 1;
    if (left > 0) open.set(path, left);
    else open.delete(path);
  };
}

export const isBeingUploaded = (path: string): boolean => open.has(path);

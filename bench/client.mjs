/** Calls a sim in process, through the whole pipeline; anything refused ends the bench. */
export function client(sim) {
  return async function call(method, path, body) {
    const response = await sim.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { 'user-agent': 'bench', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

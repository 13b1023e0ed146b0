/** Reads what the stream of events says, as a reader takes it in. */
export interface ToldEvent {
  readonly id: number;
  readonly event: string;
  // Tests compare what is in it; what that is is up to the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** Returns the events of a text; comments are none. */
export const eventsIn = (text: string): ToldEvent[] =>
  text
    .split('\n\n')
    .map((part) => /^id: (\d+)\nevent: (.*)\ndata: (.*)$/.exec(part))
    .flatMap((found) =>
      found ? [{ id: Number(found[1]), event: found[2] ?? '', data: JSON.parse(found[3] ?? '') }] : [],
    );

export interface EventReader {
  /** Returns the next event of this name; what comes before it is passed over. */
  readonly next: (name: string) => Promise<ToldEvent>;
  /** Returns all up to and with the next event of this name. */
  readonly until: (name: string) => Promise<ToldEvent[]>;
  readonly leave: () => Promise<void>;
}

/** Reads the stream of a response. */
export function readerOf({ body }: Response): EventReader {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const waiting: ToldEvent[] = [];
  const take = async (): Promise<ToldEvent> => {
    for (let first = waiting.shift(); ; first = waiting.shift()) {
      if (first) return first;
      const chunk = await reader?.read();
      if (chunk?.value === undefined) throw new Error(`the stream ended: ${text}`);
      text += chunk.value;
      const whole = text.lastIndexOf('\n\n') + 2;
      waiting.push(...eventsIn(text.slice(0, whole)));
      text = text.slice(whole);
    }
  };
  const until = async (name: string): Promise<ToldEvent[]> => {
    const told = [await take()];
    while (told.at(-1)?.event !== name) told.push(await take());
    return told;
  };
  return {
    until,
    next: async (name) => (await until(name)).slice(-1)[0] ?? { id: 0, event: '', data: undefined },
    leave: async () => reader?.cancel(),
  };
}

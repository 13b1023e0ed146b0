/** Keeps the end of what a program writes. */

/** Limits what is kept, in bytes. */
const maxKept = 4000;

export class OutputTail {
  #kept = Buffer.alloc(0);
  #length = 0;

  /** Takes more of it. */
  readonly add = (bytes: Buffer): void => {
    this.#length += bytes.length;
    this.#kept = Buffer.concat([this.#kept, bytes]).subarray(-maxKept);
  };

  text(): string {
    return this.#kept.toString('utf8').trimEnd();
  }

  /** Returns it as lines with a heading that says what was cut; none where nothing was written. */
  lines(): string[] {
    const text = this.text();
    if (text === '') return [];
    const cut = this.#length > maxKept ? `, the last ${maxKept} of ${this.#length} bytes` : '';
    return [`output of the command${cut}:`, ...text.split('\n').map((line) => `  ${line}`)];
  }
}

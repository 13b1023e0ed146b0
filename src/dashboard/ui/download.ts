import { h } from './elements.ts';

interface NamedText {
  /** Names the file. */
  readonly file: string;
  readonly text: string;
}

/** Offers a file for download. */
export function download({ file, text }: NamedText): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  h('a', { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Says what a file is called that was saved, how it is played, and what is in it. */
export const savedFile = ({ file, text }: NamedText): HTMLElement[] => [
  h('p', {}, `Saved as ${file}; play it with `, h('code', {}, `loyalty-sim run ${file}`), ':'),
  h('pre', { tabindex: '0' }, text),
];

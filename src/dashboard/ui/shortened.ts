/** Limits the characters of a name that somebody else has chosen; its title holds the whole. */
const longest = 80;

export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

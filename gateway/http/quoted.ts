/** Longer than any id can be. */
const LONGEST = 100;

export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}

/** Returns a shortened text. A text that was too long to be an id stays too long. */
export function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

/** Enough to recognize what one sent; longer than any id can be. */
const LONGEST = 100;

/** What a caller sent, in quotation marks, as far as it helps to recognize it. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}

/** The same without the marks. A text that was too long remains another than every id. */
export function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

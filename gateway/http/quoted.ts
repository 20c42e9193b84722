/** Enough to recognize what one sent. */
const LONGEST_QUOTE = 100;

/** What a caller sent, in quotation marks, as far as it helps to recognize it. */
export function quoted(text: string): string {
  return `"${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text}"`;
}

/** Replaces the control characters in a text from elsewhere, such as a file name, except line breaks. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '?');
}

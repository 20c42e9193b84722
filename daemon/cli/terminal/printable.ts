/** Text of somebody else's for a terminal: without its commands, lines kept. File names are whatever somebody called them. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '?');
}

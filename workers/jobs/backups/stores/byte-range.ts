/** Returns the last byte for a `Range` header, whose end is inclusive; '' for the end of the object. `end` is exclusive. */
export function lastOf(end: number | undefined): string {
  return end === undefined ? '' : String(end - 1);
}

/** Returns a version as a quoted entity tag (RFC 9110, section 8.8.3). */
export function entityTag(version: string): string {
  return version.startsWith('"') ? version : `"${version}"`;
}

/** Returns whether `If-Match` is absent or names this tag (strong comparison, RFC 9110, section 13.1.1). */
export function ifMatchHolds(header: string | undefined, tag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim() === tag);
}

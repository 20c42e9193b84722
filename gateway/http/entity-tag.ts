/** A version as an entity tag: quoted, as RFC 9110 section 8.8.3 wants it. */
export function entityTag(version: string): string {
  return version.startsWith('"') ? version : `"${version}"`;
}

/** True when `If-Match` is absent or names this tag (strong comparison, RFC 9110 section 13.1.1). */
export function ifMatchHolds(header: string | undefined, tag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim() === tag);
}

/** An instance id is a path segment, a folder name and a socket name, so the alphabet is narrow. */
export const INSTANCE_ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/;
const MAX_ID_LENGTH = 32;

/**
 * Derives an id from a display name: lower case, other characters become dashes, 32 characters at most. A name without any usable character
 * becomes `server`; a taken id gets `-2`, `-3`, ...
 */
export function deriveInstanceId(name: string, isTaken: (id: string) => boolean): string {
  const base =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, MAX_ID_LENGTH)
      .replace(/-+$/, '') || 'server';
  if (!isTaken(base)) return base;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const candidate = base.slice(0, MAX_ID_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

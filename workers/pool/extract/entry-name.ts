/**
 * Decides which names of ZIP entries may become files. Names are hostile input: most advisories about unpacking are about them
 * (CVE-2018-1002204 "Zip Slip", CVE-2026-13716 `.../...//`, CVE-2026-56876).
 */
export interface NameRules {
  /**
   * `portable`: valid on any system, for archives from elsewhere. `native`: valid on this system, for our own archives, since a folder on
   * Linux may contain `a:b`, or `World` and `world`, and must come back.
   */
  alphabet: 'portable' | 'native';
  platform: NodeJS.Platform;
}

/** Returns why a name must not be unpacked, or `undefined` if it may. Names use `/`; a trailing one marks a folder. */
export function nameProblem(name: string, rules: NameRules): string | undefined {
  if (name.includes('\0')) return 'contains a NUL';
  if (name.includes('\\')) return 'contains a backslash';
  if (name.startsWith('/')) return 'is absolute';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'is too long';
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return 'leads elsewhere';
  return isPortable(rules) ? segments.map(portabilityProblem).find(Boolean) : undefined;
}

/** With a trailing slash, one byte more than the longest name in our own archives (tree/walk.ts). */
const MAX_NAME_BYTES = 4_096;

/** Two names with the same key would be the same file. */
export function nameKey(name: string, rules: NameRules): string {
  const plain = name.replace(/\/$/, '');
  const ignoresCase = isPortable(rules) || rules.platform === 'darwin';
  return ignoresCase ? plain.normalize('NFC').toLowerCase() : plain;
}

function isPortable({ alphabet, platform }: NameRules): boolean {
  return alphabet === 'portable' || platform === 'win32';
}

/** The limit of NTFS, ext4 and APFS. */
const MAX_SEGMENT_BYTES = 255;
/** Device names on Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\.|$)/i;

function portabilityProblem(segment: string): string | undefined {
  if (segment.includes(':')) return 'names a drive or an alternate data stream';
  if (/[\u0000-\u001f<>"|?*]/.test(segment)) return 'contains characters that Windows does not allow';
  if (/[. ]$/.test(segment)) return 'ends with a dot or a space, which Windows drops';
  if (DEVICE.test(segment)) return 'is the name of a Windows device';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return 'is too long';
  return undefined;
}

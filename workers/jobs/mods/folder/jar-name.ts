/** Suffix that keeps servers from loading a file, as launchers and panels agree. */
const DISABLED = '.disabled';
/** The limit of NTFS, ext4 and APFS, with room for a temporary suffix. Bytes. */
const MAX_NAME_BYTES = 200;
/** Device names on Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\s*\./i;

/** Returns true for the name of a mod's file, enabled or not. */
export function isJarName(name: string): boolean {
  return /\.jar(?:\.disabled)?$/i.test(name);
}

export function isEnabled(name: string): boolean {
  return !name.toLowerCase().endsWith(DISABLED);
}

/** Returns true if a name from a stranger may become a file here: a plain `.jar` on any system, without a path. */
export function isSafeJarName(name: string): boolean {
  return (
    /^[^\p{C}/\\:<>"|?*]+\.jar$/iu.test(name) &&
    !/^[. -]/.test(name) &&
    !DEVICE.test(name) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  );
}

/** Two names with the same key are the same file on some systems. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

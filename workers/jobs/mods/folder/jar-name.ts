/** What keeps a server from loading a file, as launchers and panels agree. */
const DISABLED = '.disabled';
/** Longest name of one file on NTFS, ext4 and APFS, with room for what stands behind it for a moment. Bytes. */
const MAX_NAME_BYTES = 200;
/** Devices in every folder of Windows, whatever the extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\s*\./i;

/** True for the name of a mod's file, enabled or not, in a server's folder. */
export function isJarName(name: string): boolean {
  return /\.jar(?:\.disabled)?$/i.test(name);
}

export function isEnabled(name: string): boolean {
  return !name.toLowerCase().endsWith(DISABLED);
}

/** True for a name from a stranger that may become a file here: a plain `.jar` on any system, which leads nowhere. */
export function isSafeJarName(name: string): boolean {
  return (
    /^[^\p{C}/\\:<>"|?*]+\.jar$/iu.test(name) &&
    !/^[. -]/.test(name) &&
    !DEVICE.test(name) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  );
}

/** Two names of which this is the same are the same file on some system. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

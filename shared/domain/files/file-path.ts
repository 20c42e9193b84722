/** Gamekeeper's own folder inside an instance's folder: uploads under way and the trash. It is neither shown nor backed up. */
export const OWN_FOLDER = '.gamekeeper-files';
/** Where jobs unpack and create archives, each under a name of its own. */
export const UNPACKED_FOLDER = `${OWN_FOLDER}/unpacked`;
/** What the names of unfinished files and folders begin with that have to be made outside of Gamekeeper's folder. Never archived. */
export const UNFINISHED_PREFIX = '.gamekeeper-staged-';

/** What the names of Gamekeeper's folders in an instance's folder begin with. On some file systems case does not matter. */
const OWN_NAME = /^\.gamekeeper-(?:files|restore-)/i;
/** Lone surrogates, except for those that stand for bytes beyond ASCII in names that are not UTF-8 (shared/node/files/file-name.ts). */
const NOT_TEXT = /(?![\udc80-\udcff])\p{Surrogate}/u;
/** NAME_MAX and PATH_MAX of Linux, without the NUL. */
const MOST_NAME_BYTES = 255;
const MOST_PATH_BYTES = 4_095;
/** Names that Windows gives to devices, with any extension, and characters that it does not allow. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\.|$)/i;
const NOT_ON_WINDOWS = /[<>:"|?*\\\p{Cc}]|[. ]$/u;

/**
 * Returns what is wrong with a path of a file inside an instance's folder, or `undefined`. Paths are relative, with `/`; the empty path is
 * the folder itself. `platform` as in `process.platform`.
 */
export function filePathProblem(path: string, platform: string): string | undefined {
  if (path === '') return undefined;
  if (path.includes('\0')) return 'must not contain NUL';
  if (NOT_TEXT.test(path)) return 'must be valid Unicode';
  if (path.startsWith('/')) return 'must be relative to the folder of the server, without "/" at the beginning';
  if (utf8Bytes(path) > MOST_PATH_BYTES) return `must have at most ${MOST_PATH_BYTES} bytes`;
  const names = path.split('/');
  if (names.includes('')) return 'must have a name between two "/", and none at the end';
  if (names.includes('.') || names.includes('..')) return 'must not contain "." or ".."';
  if (names.some((name) => utf8Bytes(name) > MOST_NAME_BYTES))
    return `must have names of at most ${MOST_NAME_BYTES} bytes`;
  if (isOwnName(names[0]!)) return 'is a folder of Gamekeeper itself';
  if (platform === 'win32' && names.some((name) => WINDOWS_DEVICE.test(name) || NOT_ON_WINDOWS.test(name)))
    return 'must have names that Windows allows';
  return undefined;
}

/** Returns true for the names of Gamekeeper's folders at the top of an instance's folder. */
export function isOwnName(name: string): boolean {
  // Some file systems take U+FE52 and the like for the ASCII character, and ignore what is not shown.
  return OWN_NAME.test(name.normalize('NFKC').replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

/** Returns the folder and the name of a path; '' is the instance's folder. */
export function splitFilePath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: slash === -1 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

import { isSharedAccount } from '../clues/shared-accounts.ts';
import { KIND } from '../kinds.ts';
import {
  bytesOf,
  EOL,
  is,
  KEY,
  QUOTE,
  SPACE,
  skip,
  skipBack,
  startsWith,
  startsWithAnyCase,
  TOKEN,
  USER_NAME,
  WORD,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const DOT = 0x2e;
const EQUALS = 0x3d;

/** On Linux, network storage, macOS. */
const HOMES = ['/home/', '/homes/', '/Users/'].map(bytesOf);
/** The folder of all users' folders on Windows, on Windows up to XP, and on WSL. */
const PROFILES = ['users', 'documents and settings', 'home'].map(bytesOf);
const LINUX_HOME = PROFILES[2];
/** Hosts of WSL paths on Windows, before the distribution's name: `\\\\wsl$\\Ubuntu\\home`. */
const WSL = ['wsl$', 'wsl.localhost'].map(bytesOf);
/** Java's folder for a user's performance data. */
const HSPERFDATA = bytesOf('hsperfdata_');
/** Parents of `/home` on Silverblue, FreeBSD, Solaris, Synology. Below any other folder, `home` is just a name. */
const PARENTS = ['/var', '/usr', '/export', '/volume1', '/volume2', '/nfs'].map(bytesOf);
/** In bytes. Windows allows 20 characters for local accounts; domains and Microsoft accounts have longer folders. */
const LONGEST_NAME = 64;

/** The user's name in `/home/x/` and `/Users/x/`, at the first slash. */
export function posixHome(text: Buffer, slash: number, hits: Hits): number {
  const home = HOMES.find((folder) => startsWith(text, slash, folder));
  if (home === undefined || (is(text[slash - 1]!, TOKEN | KEY) && !isMount(text, slash) && !isInWsl(text, slash))) {
    return 0;
  }
  const start = slash + home.length;
  let end = skip(text, start, USER_NAME, LONGEST_NAME);
  while (end > start && text[end - 1] === DOT) {
    end--;
  }
  return addUser(text, start, end, hits);
}

/** `/var/home`, and Windows drives in WSL and Git Bash: `/mnt/c/Users`, `/c/Users`. */
function isMount(text: Uint8Array, slash: number): boolean {
  const isFlag = text[slash - 2] === 0x2d && is(text[slash - 3]!, SPACE | QUOTE); // `-v/home/x:/data`
  return (
    isFlag || text[slash - 2] === SLASH || PARENTS.some((parent) => startsWith(text, slash - parent.length, parent))
  );
}

function isInWsl(text: Uint8Array, slash: number): boolean {
  const end = skipBack(text, slash, USER_NAME, LONGEST_NAME) - 1;
  return isSlash(text[end]!) && WSL.some((name) => startsWithAnyCase(text, end - name.length, name));
}

/** The user's name in `/tmp/hsperfdata_x`, at the underscore. */
export function performanceData(text: Buffer, underscore: number, hits: Hits): number {
  if (!startsWith(text, underscore + 1 - HSPERFDATA.length, HSPERFDATA)) {
    return 0;
  }
  return addUser(text, underscore + 1, skip(text, underscore + 1, USER_NAME, LONGEST_NAME), hits);
}

/** The user's name in `~x/`, at its first letter. */
export function tildeHome(text: Buffer, start: number, hits: Hits): number {
  const before = text[start - 2]!;
  const end = skip(text, start, USER_NAME, LONGEST_NAME);
  if (text[end] !== SLASH || !(is(before, SPACE | QUOTE) || before === COLON || before === EQUALS)) {
    return 0;
  }
  return addUser(text, start, end, hits);
}

/** The user's name in `C:\Users\x\`, `C:\\Users\\x\\` and `C:/Users/x/`, at the slash before `Users`. */
export function windowsHome(text: Buffer, slash: number, hits: Hits): number {
  const profiles = PROFILES.find((folder) => startsWithAnyCase(text, slash + 1, folder));
  if (profiles === undefined || (profiles === LINUX_HOME && !isInWsl(text, slash))) {
    return 0;
  }
  const separator = slash + 1 + profiles.length;
  let start = separator + 1;
  while (text[separator] === BACKSLASH && text[start] === BACKSLASH) {
    start++;
  }
  if (!isSlash(text[separator]!) || !(text[slash] === BACKSLASH || text[slash - 1] === COLON)) {
    return 0;
  }
  const end = skip(text, start, USER_NAME, LONGEST_NAME);
  return addUser(text, start, endOfNameWithSpaces(text, end, start + LONGEST_NAME), hits);
}

function addUser(text: Buffer, start: number, end: number, hits: Hits): number {
  if (end > start && !isSharedAccount(text, start, end)) {
    hits.add(start, end, KIND.user);
  }
  return Math.max(end, start);
}

/** `C:\Users\Jo Doe\`: spaces belong to the name if a slash follows before a character that file names cannot have. */
function endOfNameWithSpaces(text: Uint8Array, nameEnd: number, limit: number): number {
  let at = nameEnd;
  while (at < limit && !is(text[at]!, EOL) && !FORBIDDEN.has(text[at]!) && !isSlash(text[at]!)) {
    at++;
  }
  if (isSlash(text[at]!)) {
    return at;
  }
  let end = nameEnd;
  while (is(text[end]!, WORD) && !is(text[end]!, SPACE)) {
    end++;
  }
  return text[end - 1] === DOT ? end - 1 : end;
}

/** Forbidden in names on Windows, besides slashes. */
const FORBIDDEN = new Set(bytesOf(':*?"<>|'));

function isSlash(byte: number): boolean {
  return byte === SLASH || byte === BACKSLASH;
}

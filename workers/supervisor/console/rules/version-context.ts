import { ALNUM, BLANK, bytesOf, EOL, HOST, is, KEY, latin1, skip, skipBack, WORD } from '../byte-classes.ts';

const LONGEST_WORD = 32;

/** What may stand between the word and the number: `version: 1.2.3.4`, `version="1.2.3.4"`, `Chrome/120.0.0.0`, `(build 1.2.3.4`. */
const SEPARATORS = new Set(bytesOf(' \t:="\'(/['));

const VERSION_WORDS = new Set(
  (
    'version versions ver v build builds release revision rev java jdk jre openjdk vm hotspot graalvm forge neoforge fml ' +
    'fabric quilt loader api driver protocol mod plugin library kernel linux darwin windows debian ubuntu alpine docker patch update tag firmware ' +
    'chrome chromium crios edg edge opr opera safari firefox'
  ).split(' '),
);

const FILE_EXTENSIONS = new Set('jar zip tar gz tgz exe msi dll so txt log json yml toml pom class'.split(' '));

/** Whether the number at `start` is named a version by the word before it, or is an entry of a mod loader's list. */
export function followsVersionWord(text: Buffer, start: number): boolean {
  let end = start;
  while (end > start - 4 && SEPARATORS.has(text[end - 1]!)) {
    end--;
  }
  const wordStart = skipBack(text, end, KEY, LONGEST_WORD);
  if (end === start || wordStart === end) {
    return false;
  }
  const key = latin1(text, wordStart, end).toLowerCase();
  const word = key.slice(Math.max(key.lastIndexOf('-'), key.lastIndexOf('_'), key.lastIndexOf('.')) + 1);
  return word.endsWith('version') || VERSION_WORDS.has(word) || isModListEntry(text, wordStart, end);
}

/** Whether a file's extension stands at `at`, as in `jei-15.2.0.27.jar`; a host name's next label is none. */
export function isFileExtension(text: Buffer, at: number): boolean {
  const end = skip(text, at, ALNUM, 6);
  return !is(text[end]!, HOST & ~WORD) && FILE_EXTENSIONS.has(latin1(text, at, end).toLowerCase());
}

/** Fabric and Quilt list mods on lines of their own, indented and without the log's prefix: `\t- jei 15.2.0.27`. */
function isModListEntry(text: Uint8Array, wordStart: number, wordEnd: number): boolean {
  if (text[wordEnd] !== 0x20 || text[wordStart - 1] !== 0x20 || text[wordStart - 2] !== 0x2d) {
    return false;
  }
  const indent = skipBack(text, wordStart - 2, BLANK, LONGEST_WORD);
  return indent < wordStart - 2 && is(text[indent - 1]!, EOL);
}

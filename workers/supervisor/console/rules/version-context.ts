import { ALNUM, BLANK, bytesOf, EOL, HOST, is, KEY, latin1, skip, skipBack, WORD } from '../byte-classes.ts';

const LONGEST_WORD = 32;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What may stand between the word and the number: `version: 1.2.3.4`, `version="1.2.3.4"`, `(build 1.2.3.4`. */
const SEPARATORS = new Set(bytesOf(' \t:="\'(['));
const SLASH = 0x2f;

const VERSION_WORDS = words(
  'versions ver v build builds release revision rev java jdk jre openjdk vm hotspot graalvm forge neoforge fml loader ' +
    'protocol driver kernel linux firmware',
);

/** In a User-Agent, `Chrome/120.0.0.0`. Any other name before a slash is a host's: `play.example.com/203.0.113.7`. */
const BROWSERS = words('chrome chromium crios edg edge opr opera safari firefox version headlesschrome');

/** What comes before a name that is followed by its version: `Loaded plugin luckperms 5.4.1.2 by Luck`. */
const BEFORE_NAMES = words('plugin mod library addon extension module loading loaded enabling enabled disabling');
const NO_NAMES = words(
  'from to at on for by with via is as of and host hostname address ip server client player proxy',
);

const FILE_EXTENSIONS = new Set('jar zip tar gz tgz exe msi dll so txt log json yml toml pom class'.split(' '));

/** Whether the number at `start` is named a version by the words before it, or is an entry of a mod loader's list. */
export function followsVersionWord(text: Buffer, start: number): boolean {
  if (text[start - 1] === SLASH) {
    return BROWSERS.has(wordBefore(text, start - 1).toLowerCase());
  }
  let end = start;
  while (end > start - 4 && SEPARATORS.has(text[end - 1]!)) {
    end--;
  }
  const key = wordBefore(text, end).toLowerCase();
  if (end === start || key === '') {
    return false;
  }
  const word = key.slice(Math.max(key.lastIndexOf('-'), key.lastIndexOf('_'), key.lastIndexOf('.')) + 1);
  const wordStart = end - key.length;
  return (
    word.endsWith('version') ||
    VERSION_WORDS.has(word) ||
    (!NO_NAMES.has(word) && isName(text, wordStart, end)) ||
    isModListEntry(text, wordStart, end)
  );
}

function wordBefore(text: Buffer, end: number): string {
  return latin1(text, skipBack(text, end, KEY, LONGEST_WORD), end);
}

/** Whether the word before says that this is the name of something that has a version. */
function isName(text: Buffer, wordStart: number, wordEnd: number): boolean {
  const before = skipBack(text, wordStart, BLANK, 2);
  return is(text[wordEnd]!, BLANK) && before < wordStart && BEFORE_NAMES.has(wordBefore(text, before).toLowerCase());
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

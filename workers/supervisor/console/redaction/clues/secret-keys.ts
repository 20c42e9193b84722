import { FOREIGN_PASSWORD_WORDS } from '../../../../../shared/domain/password-words.ts';
import { ALNUM, DIGIT, is, KEY, skipBack, UPPER, WORD } from '../scan/byte-classes.ts';

/** What a key reveals about its value. */
export const KEY_MEANS = {
  nothing: 0,
  /** `password`, `rcon.password`, `db_passwd`, `MYSQL_PWD`. */
  password: 1,
  /** `accessToken`, `client_secret`, `api-key`, `JSESSIONID`. */
  token: 2,
  /** `session`, `sid`, `auth`: a token if it looks like one. */
  perhapsToken: 3,
  authorization: 4,
  cookie: 5,
  /** An account on this computer: `USERNAME=`, `user.name`. */
  user: 6,
} as const;

export type KeyMeaning = (typeof KEY_MEANS)[keyof typeof KEY_MEANS];

/** A word at the end of a key, and a further condition. */
interface Ending {
  readonly word: Uint8Array;
  readonly meaning: KeyMeaning;
  readonly holds: (text: Uint8Array, start: number, end: number) => boolean;
}

const always = () => true;

/** By the last two letters, which rule out most words before a colon. To hide the values of other keys, add their last word here. */
const ENDINGS: readonly (readonly Ending[])[] = byLastLetters([
  ...endings(KEY_MEANS.password, 'password passwd pwd passphrase passcode passwordhash password_hash', always),
  ...endings(KEY_MEANS.password, 'pass pw', startsWord), // not "bypass", "compass"
  ...endings(KEY_MEANS.password, FOREIGN_PASSWORD_WORDS.join(' '), always),
  ...endings(KEY_MEANS.token, 'token secret credential credentials creds jsessionid phpsessid', always),
  ...endings(KEY_MEANS.token, 'asp.net_sessionid connect.sid', always),
  ...endings(KEY_MEANS.token, 'key', ownedBy('api secret private access auth encryption license licence signing')),
  ...endings(KEY_MEANS.token, 'key', ownedBy('shared master agent account subscription function')),
  ...endings(KEY_MEANS.token, 'id', ownedBy('session sess')),
  ...endings(KEY_MEANS.token, 'signature sig', isParameter),
  ...endings(KEY_MEANS.perhapsToken, 'session sid auth', startsWord),
  ...endings(KEY_MEANS.authorization, 'authorization', always),
  ...endings(KEY_MEANS.cookie, 'cookie cookies', startsWord),
  ...endings(KEY_MEANS.user, 'user.name', always),
  // The shell's variables are in capitals; `username` in lower case is a player's name.
  ...endings(KEY_MEANS.user, 'username logname user', isWholeInCapitals),
]);

/** The last bytes of these keys that are not ASCII, for the rule table. */
export const FOREIGN_KEY_ENDS = String.fromCharCode(
  ...FOREIGN_PASSWORD_WORDS.map((word) => Buffer.from(word).at(-1)!).filter((byte) => byte >= 0x80),
);

/** Returns the meaning of the key that ends before `end`, from its last word: `spring.datasource.password` is a password. */
export function meaningOfKey(text: Uint8Array, end: number): KeyMeaning {
  const candidates = ENDINGS[lastLetters(text, end)]!;
  return candidates.length === 0 ? KEY_MEANS.nothing : meaningByEndings(text, end, candidates);
}

function meaningByEndings(text: Uint8Array, end: number, candidates: readonly Ending[]): KeyMeaning {
  for (const { word, meaning, holds } of candidates) {
    const start = end - word.length;
    if (endsWith(text, end, word) && holds(text, start, end)) {
      return meaning;
    }
  }
  return KEY_MEANS.nothing;
}

/** Returns the end of the key without its number: `password2`, `token_1`, `X-Hub-Signature-256`. */
export function endWithoutNumber(text: Uint8Array, end: number): number {
  const digits = skipBack(text, end, DIGIT, 3);
  const before = text[digits - 1]!;
  return digits < end && (before === 0x5f || before === 0x2d) ? digits - 1 : digits;
}

/** Returns the start of the last word of the key that ends before `end`: `token` in `bot.token` and in `accessToken`. */
export function lastWordOfKey(text: Uint8Array, end: number): number {
  let at = end - 1;
  while (is(text[at - 1]!, ALNUM) && !(is(text[at]!, UPPER) && !is(text[at - 1]!, UPPER))) {
    at--;
  }
  return at;
}

/** Returns whether the key is one plain word, as in prose, unlike `bot.token`, `accessToken`, `API key`. */
export function isPlainWord(text: Uint8Array, end: number): boolean {
  const start = lastWordOfKey(text, end);
  const length = end - start;
  return !is(text[start - 1]!, KEY) && !(length === KEY_WORD_LENGTH && (text[end - 1]! | 0x20) === 0x79) && length > 2;
}

/** Returns whether the key is a class name with its package, as before the message of an exception: `session.Token: gone`. */
export function isClassName(text: Uint8Array, end: number): boolean {
  const start = lastWordOfKey(text, end);
  const isInPackage = text[start - 1] === 0x2e && is(text[start - 2]!, ALNUM) && !is(text[start - 2]!, UPPER);
  return isInPackage && is(text[start]!, UPPER) && !is(text[start + 1]!, UPPER);
}

/** `key` is never the whole name of a secret. */
const KEY_WORD_LENGTH = 3;

function endings(meaning: KeyMeaning, words: string, holds: Ending['holds']): Ending[] {
  return words.split(' ').map((word) => ({ word: Buffer.from(word), meaning, holds }));
}

/** Returns the last two letters as ten bits. The lower five bits of an ASCII letter are the same in both cases. */
function lastLetters(text: Uint8Array, end: number): number {
  return ((text[end - 2]! & 0x1f) << 5) | (text[end - 1]! & 0x1f);
}

function byLastLetters(all: readonly Ending[]): Ending[][] {
  const table = new Array<Ending[]>(1024).fill([]);
  for (const [letters, some] of Map.groupBy(all, ({ word }) => lastLetters(word, word.length))) table[letters] = some;
  return table;
}

function endsWith(text: Uint8Array, end: number, word: Uint8Array): boolean {
  const start = end - word.length;
  for (let i = word.length - 1; i >= 0; i--) {
    const byte = text[start + i]!;
    if (byte !== word[i] && (byte | 0x20) !== word[i]) {
      return false;
    }
  }
  return true;
}

/** Returns whether a word begins at `at`, also at a capital (`dbPass`). */
function startsWord(text: Uint8Array, at: number): boolean {
  const before = text[at - 1]!;
  return !is(before, ALNUM) || (is(text[at]!, UPPER) && !is(before, UPPER));
}

/** `key` or `id` is a secret behind one of these words: `api_key`, `API key`, `privateKey`, `Session ID`. */
function ownedBy(owners: string): Ending['holds'] {
  const words = owners.split(' ').map((word) => Buffer.from(word));
  return (text, start) => {
    const gap = is(text[start - 1]!, ALNUM) ? start : start - 1;
    return words.some((word) => endsWith(text, gap, word));
  };
}

/** A signature that grants access is in a URL or a header: `&sig=`, `X-Amz-Signature=`. */
function isParameter(text: Uint8Array, start: number): boolean {
  const before = text[start - 1]!;
  return before === 0x26 || before === 0x3f || before === 0x2d;
}

function isWholeInCapitals(text: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (!is(text[at]!, UPPER)) {
      return false;
    }
  }
  return !is(text[start - 1]!, WORD);
}

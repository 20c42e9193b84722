import { BLANK, DIGIT, EOL, is, KEY, latin1, skip, skipBack, WORD } from '../scan/byte-classes.ts';
import { isClassName, isPlainWord, KEY_MEANS, type KeyMeaning, lastWordOfKey } from './secret-keys.ts';
import { beginsAdvice, isPlaceholder, isState, looksSecret } from './secret-looks.ts';
import type { Value } from './secret-values.ts';
import { isSharedAccount } from './shared-accounts.ts';

const BRACE = 0x7b;
/** In bytes: `session:amd64` is not a session. */
const SHORTEST_SESSION = 6;

/** How a value's key was written. This decides how much the value must resemble a secret. */
export interface Place {
  readonly keyEnd: number;
  readonly keyQuoted: boolean;
  /** `: ` and not `=` or `":"`: prose uses that too. */
  readonly likeProse: boolean;
}

/** Returns whether the value of a key is harmless: a placeholder, a state, a sentence, an object with keys. */
export function isHarmless(text: Buffer, value: Value, meaning: KeyMeaning, place: Place): boolean {
  if (isPlaceholder(text, value) || isObject(text, value)) {
    return true;
  }
  if (meaning === KEY_MEANS.user) {
    return isSharedAccount(text, value.start, value.end);
  }
  if (place.likeProse && (isState(text, value) || (!value.quoted && beginsAdvice(text, value)))) {
    return true;
  }
  const isPlain = isPlainWord(text, place.keyEnd);
  const isDoubtful = place.likeProse && (isComplaint(text, place.keyEnd) || isClassName(text, place.keyEnd));
  if (isDoubtful || meaning === KEY_MEANS.perhapsToken) {
    const isShort = meaning === KEY_MEANS.perhapsToken && value.end - value.start < SHORTEST_SESSION;
    return isShort || !looksSecret(text, value.start, value.end);
  }
  if (place.keyQuoted || value.quoted || !isPlain) {
    return false;
  }
  const isOnlyPassword = meaning === KEY_MEANS.password && !isPass(text, place.keyEnd);
  return !isOnlyPassword && isHarmlessWord(text, value, place);
}

/** An object's keys are scanned separately; `{p;w}` is a password in the syntax of SQL Server's driver. */
function isObject(text: Buffer, { start, end }: Value): boolean {
  return text[start] === BRACE && (end - start < 3 || /[:=]/.test(latin1(text, start, end)));
}

/** `pass`, `token` and `secret` have other meanings: `token=0`, `Render pass: main`, `The secret: patience`. */
function isHarmlessWord(text: Buffer, value: Value, { keyEnd, likeProse }: Place): boolean {
  if (!likeProse) {
    return isTiny(value);
  }
  const wordEnd = skipBack(text, lastWordOfKey(text, keyEnd), BLANK, 2);
  const isAlone = !is(text[wordEnd - 1]!, WORD) && isLast(text, value.end);
  return !(isAlone && skip(text, value.start, DIGIT) < value.end) && !looksSecret(text, value.start, value.end);
}

function isTiny({ start, end }: Value): boolean {
  return end - start < 3;
}

/** Returns whether at most the next key follows. */
function isLast(text: Uint8Array, end: number): boolean {
  return !is(text[end]!, BLANK) || is(text[skip(text, end, BLANK)]!, EOL);
}

function isPass(text: Uint8Array, keyEnd: number): boolean {
  return keyEnd - lastWordOfKey(text, keyEnd) === 4;
}

const COMPLAINTS = new Set(
  'unexpected expected unknown illegal invalid incorrect wrong bad missing empty weak short old'.split(' '),
);

/** `Unexpected token: x`, `Invalid password: too short`: after such a word the value is prose. */
function isComplaint(text: Buffer, keyEnd: number): boolean {
  const wordStart = lastWordOfKey(text, keyEnd);
  const end = skipBack(text, wordStart, BLANK, 2);
  const start = skipBack(text, end, KEY, 16);
  return end < wordStart && COMPLAINTS.has(latin1(text, start, end).toLowerCase());
}

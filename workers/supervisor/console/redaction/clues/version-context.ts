import { BLANK, bytesOf, EOL, IDENTIFIER, is, KEY, LETTER, latin1, skip, skipBack } from '../scan/byte-classes.ts';
import type { Shape } from './quads.ts';
import {
  ADDRESS_WORDS,
  AUXILIARIES,
  BEFORE_NAMES,
  BEHIND_NAMES,
  BROWSERS,
  isVersionWord,
  NEUTRAL,
  OTHER_AGENTS,
  PLATFORMS,
  UPDATE_WORDS,
} from './version-words.ts';

const LONGEST_WORD = 32;
const SHORTEST_WORD = 2;
const SLASH = 0x2f;
const COLON = 0x3a;
const AT = 0x40;

/** Characters between the word and the number: `version: 1.2.3.4`, `version="1.2.3.4"`, `(build 1.2.3.4`. */
const SEPARATORS = new Set(bytesOf(' \t:="\'(['));
const MOST_SEPARATORS = 4;

/** How far before the number a clause reaches, in bytes. */
const CLAUSE = 64;

/**
 * Returns whether words near the number from `start` to `end` make it a version. `version` and similar words do so for any number; a name,
 * an update or a mod list only for small numbers.
 */
export function isCalledVersion(text: Buffer, start: number, end: number, shape: Shape): boolean {
  if (text[start - 1] === SLASH) {
    const agent = wordBefore(text, start - 1);
    return BROWSERS.has(agent) || (shape.small && OTHER_AGENTS.has(agent));
  }
  let keyEnd = start;
  while (keyEnd > start - MOST_SEPARATORS && SEPARATORS.has(text[keyEnd - 1]!)) {
    keyEnd--;
  }
  const key = keyEnd === start ? '' : wordBefore(text, keyEnd);
  const word = lastPart(key);
  if (
    isVersionWord(word) ||
    (shape.smallFirst && keyEnd === start - 1 && isModListEntry(text, keyEnd - key.length, keyEnd))
  ) {
    return true;
  }
  if (shape.padded || (shape.smallFirst && isInModList(text, start))) {
    return true;
  }
  if (!shape.small) {
    return false;
  }
  if (PLATFORMS.has(word)) {
    return true;
  }
  const hasName = /[a-z]/.test(word) && !ADDRESS_WORDS.has(word) && is(text[keyEnd]!, BLANK);
  if (hasName && (isBehindLoading(text, keyEnd - key.length) || isBeforeLoaded(text, end))) {
    return true;
  }
  return isArtifact(text, start) || (hasName && isInPluginList(text, start)) || isInUpdate(text, start);
}

/** Returns the word that ends at `end`, in lower case. */
function wordBefore(text: Buffer, end: number): string {
  return latin1(text, skipBack(text, end, KEY, LONGEST_WORD), end).toLowerCase();
}

/** `version` in `Implementation-Version`, `ver` in `ver.`. */
function lastPart(word: string): string {
  return word.replace(/\.+$/, '').replace(/^.*[-_.]/, '');
}

function isBehindLoading(text: Buffer, nameStart: number): boolean {
  const before = skipBack(text, nameStart, BLANK, 2);
  return before < nameStart && BEFORE_NAMES.has(wordBefore(text, before));
}

function isBeforeLoaded(text: Buffer, end: number): boolean {
  let at = end;
  for (let word = 0; word < MOST_WORDS_BEHIND; word++) {
    const start = skip(text, at, BLANK, 2);
    at = skip(text, start, IDENTIFIER, LONGEST_WORD);
    const behind = latin1(text, start, at).toLowerCase();
    if (!AUXILIARIES.has(behind)) {
      return BEHIND_NAMES.has(behind);
    }
  }
  return false;
}

/** Number of words after a number that decide what it is. */
export const MOST_WORDS_BEHIND = 3;

/** Fabric and Quilt list mods on lines of their own, indented and without the log's prefix: `\t- jei 15.2.0.27`. */
function isModListEntry(text: Uint8Array, wordStart: number, wordEnd: number): boolean {
  if (text[wordEnd] !== 0x20 || text[wordStart - 1] !== 0x20 || text[wordStart - 2] !== 0x2d) {
    return false;
  }
  const indent = skipBack(text, wordStart - 2, BLANK, LONGEST_WORD);
  return indent < wordStart - 2 && is(text[indent - 1]!, EOL);
}

/** Maven coordinates: `org.xerial:sqlite-jdbc:3.45.1.0`. */
function isArtifact(text: Buffer, start: number): boolean {
  if (text[start - 1] !== COLON) {
    return false;
  }
  const artifact = skipBack(text, start - 1, KEY, LONGEST_WORD);
  return text[artifact - 1] === COLON && wordBefore(text, artifact - 1).includes('.');
}

/** How far before the number to look for the beginning of a list, in bytes. */
const LIST = 128;

/** `Loading 43 mods: fabric-api@0.92.2, jei@15.2.0.27`; `root@15.2.0.27` is an address. */
function isInModList(text: Buffer, start: number): boolean {
  return text[start - 1] === AT && /\bmods?\b/i.test(lineBefore(text, start, LIST));
}

/** `Bukkit plugins (2): Vault (1.7.3), Foo (1.2.3.4)`, and the lines that follow on Paper, which are entries only. */
function isInPluginList(text: Buffer, start: number): boolean {
  return /\b(?:mods|plugins|extensions|addons|modules|libraries)\b.*:|\w \(v?\d+\.\d+(?:\.\d+)?[-)]/i.test(
    lineBefore(text, start, LIST),
  );
}

function isInUpdate(text: Buffer, start: number): boolean {
  const limit = start - CLAUSE;
  for (let at = start; at > limit && !is(text[at - 1]!, EOL); ) {
    if (!is(text[at - 1]!, LETTER)) {
      at--;
      continue;
    }
    const wordStart = skipBack(text, at, LETTER, LONGEST_WORD);
    if (at - wordStart < SHORTEST_WORD) {
      at = wordStart;
      continue;
    }
    const word = latin1(text, wordStart, at).toLowerCase();
    if (UPDATE_WORDS.has(word)) {
      return true;
    }
    if (ADDRESS_WORDS.has(word) && !NEUTRAL.has(word)) {
      return false;
    }
    at = wordStart;
  }
  return false;
}

/** Returns at most `most` bytes of the line before `end`. */
function lineBefore(text: Buffer, end: number, most: number): string {
  let start = end;
  while (start > end - most && !is(text[start - 1]!, EOL)) {
    start--;
  }
  return latin1(text, start, end);
}

import { KIND } from '../kinds.ts';
import { HOST, is, LETTER, LOCAL_PART, latin1, skip, skipBack, UPPER, WORD } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const AT = 0x40;
const LONGEST_LOCAL_PART = 64;
const LONGEST_HOST = 253;
/** Number of labels to cut off behind the domain. */
const MOST_CUTS = 2;
/** First byte of characters of three or four bytes, as in scripts without spaces between words. */
const IDEOGRAPH = 0xe3;

/** Extensions of files and classes, none of them a top-level domain: `forge@47.1.0.jar`, `icon@2x.png`. */
const NOT_A_DOMAIN = new Set(
  'jar class java json yml yaml log txt dll exe kt png jpg jpeg gif svg ogg wav mcmeta js css html xml toml nbt'.split(
    ' ',
  ),
);

/**
 * An e-mail address, at its `@`. Java uses that sign for other things: `Foo@1a2b3c` (identity hash), `java.base@17.0.9` and
 * `minecraft@1.20.1/net.minecraft` (modules), `mixins.json:Bar@Inject`, `@Mixin@foo.bar` (annotations). None of these has a host that ends
 * in letters, except behind another `@`, where it begins with a capital.
 */
export function email(text: Buffer, sign: number, hits: Hits): number {
  let start = skipBack(text, sign, LOCAL_PART, LONGEST_LOCAL_PART);
  while (start < sign && !is(text[start]!, WORD)) {
    start++;
  }
  start = behindIdeographs(text, start, sign);
  if (start === sign || (text[start - 1] === AT && is(text[start]!, UPPER))) {
    return 0;
  }
  let end = beforeIdeographs(text, sign + 1, skip(text, sign + 1, HOST, LONGEST_HOST));
  while (end > sign && !is(text[end - 1]!, WORD)) {
    end--;
  }
  // `steve@example.com-x`: the end does not belong to the domain.
  for (let cut = 0; cut < MOST_CUTS && end > sign + 3 && !isHost(text, sign + 1, end); cut++) {
    end = skipBack(text, end, LETTER, LONGEST_HOST);
    while (end > sign && !is(text[end - 1]!, LETTER)) {
      end--;
    }
  }
  if (end <= sign + 3 || !isHost(text, sign + 1, end) || isService(text, start, sign)) {
    return 0;
  }
  hits.add(start, end, KIND.email);
  return end;
}

/** `邮箱：steve@example.com`: the address begins behind the label, unless all of it is ideographs. */
function behindIdeographs(text: Uint8Array, start: number, sign: number): number {
  let at = sign;
  while (at > start && text[at - 1]! < 0x80) {
    at--;
  }
  return at < sign && at > start && text[at - 3]! >= IDEOGRAPH ? at : start;
}

/** `steve@example.com，以及`: the address ends before the ideographs, unless the host begins with one. */
function beforeIdeographs(text: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && text[at]! < IDEOGRAPH) {
    at++;
  }
  return at > start && is(text[at - 1]!, WORD) ? at : end;
}

function isHost(text: Buffer, start: number, end: number): boolean {
  const labels = latin1(text, start, end).toLowerCase().split('.');
  const top = labels.at(-1)!;
  if (labels.length < 2 || !/^(?:[a-z]{2,24}|xn--[a-z0-9-]+|[a-z]*[\x80-\xff][a-z\x80-\xff]*)$/.test(top)) {
    return false;
  }
  if (NOT_A_DOMAIN.has(top) || labels.includes('')) {
    return false;
  }
  // `1.0.RELEASE`, `0.5.3-mc.fabric`: a version, while 163.com and 126.com have users by the million.
  return !(labels.length > 2 && labels.slice(0, 2).every((label) => /^\d/.test(label)));
}

/** `git@github.com` is the same for everybody. */
function isService(text: Buffer, start: number, sign: number): boolean {
  return sign - start === 3 && latin1(text, start, sign) === 'git';
}

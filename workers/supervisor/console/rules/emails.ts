import { HOST, is, LOCAL_PART, latin1, skip, skipBack, WORD } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';

const _DOT = 0x2e;
const LONGEST_LOCAL_PART = 64;
const LONGEST_HOST = 253;

/** Endings of files and classes: `forge@47.1.0.jar` is no address. None of them is a top-level domain. */
const NOT_A_DOMAIN = new Set('jar class java json yml log txt dll exe kt'.split(' '));

/**
 * An e-mail address at its `@`. Java has many other uses for that sign: `Foo@1a2b3c` (identity hash), `java.base@17.0.9`
 * and `minecraft@1.20.1/net.minecraft` (modules), `mixins.json:Bar@Inject`; none has a host that ends in letters.
 */
export function email(text: Buffer, sign: number, hits: Hits): number {
  let start = skipBack(text, sign, LOCAL_PART, LONGEST_LOCAL_PART);
  while (start < sign && !is(text[start]!, WORD)) {
    start++;
  }
  if (start === sign) {
    return 0;
  }
  let end = skip(text, sign + 1, HOST, LONGEST_HOST);
  while (end > sign && !is(text[end - 1]!, WORD)) {
    end--;
  }
  if (end <= sign + 3 || !isHost(text, sign + 1, end) || isService(text, start, sign)) {
    return 0;
  }
  hits.add(start, end, KIND.email);
  return end;
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
  // `1.0.RELEASE`, `5.0.Final`: a version, while 163.com and 126.com have users by the million.
  return !(labels.length > 2 && labels.slice(0, -1).every((label) => /^\d+$/.test(label)));
}

/** `git@github.com` is how everybody logs in there. */
function isService(text: Buffer, start: number, sign: number): boolean {
  return sign - start === 3 && latin1(text, start, sign) === 'git';
}

import { KIND } from '../kinds.ts';
import {
  ALNUM,
  bytesOf,
  CLASS,
  DIGIT,
  HOST,
  is,
  KEY,
  QUOTE,
  SPACE,
  skip,
  startsWith,
  startsWithAnyCase,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const SLASH = 0x2f;
const COLON = 0x3a;
const AT = 0x40;
const OPEN = 0x5b;
/** In bytes. A user name alone stays unless it is as long as a token (`https://ghp_...@github.com`). */
const SHORTEST_TOKEN = 20;

/** Ends the authority of a URL (RFC 3986, 3.2), or the URL in a sentence. */
const ENDS_AUTHORITY = new Set(bytesOf('/?#\\<>(){}|^'));

/** User and password of a URL, at the colon after its scheme: `mysql://root:hunter2@db/x`, `jdbc:mysql://u:p@h`. */
export function urlLogin(text: Buffer, colon: number, hits: Hits): number {
  if (text[colon + 1] !== SLASH || text[colon + 2] !== SLASH || !is(text[colon - 1]!, ALNUM)) {
    return 0;
  }
  const start = colon + 3;
  let sign = 0;
  let password = 0;
  let at = start;
  for (; (CLASS[text[at]!]! & (SPACE | QUOTE)) === 0; at++) {
    if (ENDS_AUTHORITY.has(text[at]!) && !isInPassword(text, { start, password, sign, at })) {
      break;
    }
    if (text[at] === AT) {
      sign = at;
    } else if (text[at] === COLON && password === 0) {
      password = at;
    }
  }
  const hasPassword = password > 0 && password < sign;
  if (sign === 0 || sign === start || !(hasPassword || sign - start >= SHORTEST_TOKEN)) {
    return start;
  }
  hits.add(start, sign, KIND.secret);
  return sign + 1;
}

/**
 * Returns whether a character that would end the authority belongs to an unescaped password: `mysql://root:p/w#d@db`. After the colon of a
 * port there are digits only; an IPv6 host begins with a bracket.
 */
function isInPassword(
  text: Uint8Array,
  { start, password, sign, at }: { start: number; password: number; sign: number; at: number },
): boolean {
  const hasUser = password > 0 && sign === 0 && text[start] !== OPEN;
  return hasUser && at - password < LONGEST_UNESCAPED && skip(text, password + 1, DIGIT) < at;
}

/** In bytes. */
const LONGEST_UNESCAPED = 64;

/** In bytes. Oracle allows 128 for names and 1,024 for passwords; logs have shorter ones. */
const LONGEST_LOGIN = 256;

const THIN = bytesOf('oracle:thin');
const OCI = bytesOf('oracle:oci');

/** Oracle's `jdbc:oracle:thin:scott/tiger@host:1521:xe`, at the colon before the user. */
export function oracleLogin(text: Buffer, colon: number, hits: Hits): number {
  if (!startsWithAnyCase(text, colon - THIN.length, THIN) && !startsWith(text, colon - OCI.length, OCI)) {
    return 0;
  }
  let slash = 0;
  let at = colon + 1;
  const limit = at + LONGEST_LOGIN;
  while (at < limit && (CLASS[text[at]!]! & (SPACE | QUOTE)) === 0 && text[at] !== AT) {
    if (text[at] === SLASH) {
      slash ||= at;
    }
    at++;
  }
  if (text[at] !== AT || slash <= colon + 1) {
    return 0;
  }
  hits.add(colon + 1, at, KIND.secret);
  return at + 1;
}

const BEFORE_LOGIN = new Set(bytesOf('=/([{<>)]},'));
const NETWORKS = ['tcp(', 'unix(', 'udp(', 'localhost'].map(bytesOf);

/** A login without a scheme, at its `@`: `root:hunter@tcp(127.0.0.1:3306)/mc`, `root:hunter@db.internal:3306/mc`. */
export function bareLogin(text: Buffer, sign: number, hits: Hits): number {
  const hostEnd = skip(text, sign + 1, HOST, 64);
  const hasPort = text[hostEnd] === COLON && is(text[hostEnd + 1]!, DIGIT) && is(text[hostEnd + 2]!, DIGIT);
  if (!hasPort && !NETWORKS.some((network) => startsWith(text, sign + 1, network))) {
    return 0;
  }
  let colon = 0;
  let start = sign;
  while (
    start > sign - LONGEST_LOGIN &&
    (CLASS[text[start - 1]!]! & (SPACE | QUOTE)) === 0 &&
    !BEFORE_LOGIN.has(text[start - 1]!)
  ) {
    start--;
    colon = text[start] === COLON ? start : colon;
  }
  const isName = colon > start && skip(text, start, KEY) === colon && colon + 1 < sign;
  if (!isName) {
    return 0;
  }
  hits.add(start, sign, KIND.secret);
  return sign + 1;
}

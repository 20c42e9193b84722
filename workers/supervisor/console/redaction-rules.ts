import { DIGIT, EOL, find, HEX, IDENTIFIER, is, WORD } from './byte-classes.ts';
import { EscapedText } from './escaped-text.ts';
import { Hits } from './hits.ts';
import { CUT_MARK, lineCut } from './line-cut.ts';
import type { PlainText } from './plain-text.ts';
import { argumentSecret, attributeSecret, elementSecret, identifiedBy, listedSecret } from './rules/called-secrets.ts';
import { loginCommand } from './rules/chat-commands.ts';
import { chatLogin } from './rules/chat-logins.ts';
import { commandLineLogin } from './rules/command-line-logins.ts';
import { email } from './rules/emails.ts';
import { dottedHardwareAddress, hardwareAddress } from './rules/hardware-addresses.ts';
import { performanceData, posixHome, tildeHome, windowsHome } from './rules/home-folders.ts';
import { dashedAddress, reversedAddress } from './rules/host-names.ts';
import { ipv4 } from './rules/ipv4.ts';
import { ipv6 } from './rules/ipv6.ts';
import {
  arrowedSecret,
  flaggedSecret,
  keyedSecret,
  numberedSecret,
  tabledSecret,
  widelySeparatedSecret,
} from './rules/keyed-secrets.ts';
import { Literals } from './rules/literals.ts';
import {
  ageIdentity,
  dashedToken,
  dottedToken,
  githubToken,
  mfaToken,
  slackToken,
  slashedToken,
  underscoredToken,
} from './rules/prefixed-tokens.ts';
import { PrivateKeys } from './rules/private-keys.ts';
import { FOREIGN_KEY_ENDS } from './rules/secret-keys.ts';
import { spokenPassword, spokenToken } from './rules/spoken-secrets.ts';
import {
  bearerToken,
  cloudKey,
  discordToken,
  jsonWebToken,
  managementSecret,
  passwordHash,
  telegramToken,
  webhook,
} from './rules/tokens.ts';
import { bareLogin, oracleLogin, urlLogin } from './rules/url-logins.ts';
import { dashedUuid, intArrayUuid, undashedUuids } from './rules/uuids.ts';
import { LITERAL, nextTrigger, type Rule, type TriggeredRule, triggerTable, withLiterals } from './triggers.ts';

const DASH = 0x2d;
const COLON = 0x3a;
const DOT = 0x2e;
const NINE = 0x39;
const LETTER_A = 0x61;
const LETTER_G = 0x47;
const CR = 0x0d;
const NUL = 0x00;
const LF = 0x0a;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SPACES = ' \t\r\n';
const QUOTES = '"\'`';
const ANYTHING = String.fromCharCode(...Array(256).keys());
/** How the names of secrets end: passworD, passphrasE, tokeN, credentialS, credentiaL, secreT, api-keY, autH, pW, siG. */
const KEY_ENDS = `dehnsltywgDEHNSLTYWG${FOREIGN_KEY_ENDS}`;
/** The first bytes of arrows, and of punctuation as wide as an ideograph. */
const WIDE = '\xe2\xef';

/** What sets each rule off: a byte, given the one before it. Where two would, the later entry is asked. */
const RULES: readonly TriggeredRule[] = [
  [HEX, '.', dottedHardwareAddress],
  [DIGIT, '.', dotAfterDigit],
  ['G', '.', dottedToken],
  ['f', 'a', mfaToken],
  [`${KEY_ENDS}${QUOTES} \t`, ':', keyedSecret],
  [`${KEY_ENDS}${QUOTES} \t`, '|', tabledSecret],
  [`${KEY_ENDS}${QUOTES} \t`, WIDE, widelySeparatedSecret],
  [`${KEY_ENDS}`, '(', argumentSecret],
  ['<', '/', elementSecret],
  [QUOTES, ',;', listedSecret],
  ['-', '>', arrowedSecret],
  ['E', 'D', identifiedBy],
  ['n', ':', (text, at, hits) => keyedSecret(text, at, hits) || oracleLogin(text, at, hits)],
  [HEX, ':', colonAfterHex],
  [':', ':', (text, at, hits) => ipv6(text, at - 1, hits)],
  [`${KEY_ENDS}arAR${QUOTES} \t]`, '=', keyedSecret],
  [DIGIT, '=', numberedSecret],
  ['eE', '=', (text, at, hits) => keyedSecret(text, at, hits) || attributeSecret(text, at, hits)],
  [ANYTHING, '@', (text, at, hits) => bareLogin(text, at, hits) || email(text, at, hits)],
  ['/', 'hU', (text, at, hits) => posixHome(text, at - 1, hits)],
  ['/', 'ws', (text, at, hits) => webhook(text, at - 1, hits)],
  [`${SPACES}${QUOTES}>`, '/', loginCommand],
  [':', '/', slashAfterColon],
  [`${LETTERS}0123456789${SPACES}${QUOTES}:([=$`, '\\', windowsHome],
  ['gG', 'iI', chatLogin],
  ['sS', 'wW', spokenPassword],
  ['iI', 'sS', spokenToken],
  ['AKS', 'I', cloudKey],
  ['y', 'J', jsonWebToken],
  ['B', 'e', (text, at, hits) => bearerToken(text, at - 1, hits)],
  ['g', 'h', githubToken],
  ['kmfcb1pt', '_', underscoredToken],
  ['a', '_', (text, at, hits) => performanceData(text, at, hits) || underscoredToken(text, at, hits)],
  ['Xkyi', '-', dashedToken],
  ['t', '-', (text, at, hits) => managementSecret(text, at, hits) || dashedToken(text, at, hits)],
  ['Y', '-', ageIdentity],
  ['1', '/', slashedToken],
  ['$', '2aSp56s', passwordHash],
  ['~', LETTERS, tildeHome],
  ['l', 'p', dashedToken],
  [HEX, '-', dashAfterHex],
  [`${SPACES}${QUOTES}[`, '-', (text, at, hits) => flaggedSecret(text, at, hits) || commandLineLogin(text, at, hits)],
  ['-', '-', dashes],
  ['o', 'x', slackToken],
  ['x', 'a', slackToken],
  ['MNO', 'DTjz', discordToken],
  ['I', ';', intArrayUuid],
  ['%', '0123456789abcdefABCDEF', escapeSeen],
  ['\\', `${QUOTES}/:=#! unrtx`, escapeSeen],
  ['\\', '\\', backslashes],
  ['&', '#qalg', escapeSeen],
  [ANYTHING, CUT_MARK, lineCut],
];

const TRIGGERS = triggerTable(RULES);
const BY_NUMBER: readonly Rule[] = RULES.map(([, , rule]) => rule);

type Scanned = Pick<PlainText, 'bytes' | 'view' | 'start' | 'end'>;

/** All rules over a text: one pass that stops where two neighbouring bytes set off a rule, which then looks around. */
export class RedactionRules {
  readonly #triggers: Uint8Array;
  readonly #literals: Literals;
  /** JSON in a string of JSON in a URL is as deep as it gets. */
  readonly #escaped = [new EscapedText(), new EscapedText(), new EscapedText()];
  /** No literal is looked for within a time of day. */
  readonly #skipsTimes: boolean;

  constructor(secrets: readonly string[]) {
    this.#literals = new Literals(secrets);
    this.#triggers = withLiterals(TRIGGERS, this.#literals.pairs);
    this.#skipsTimes = !this.#literals.pairs.some((pair) => isOfTimes(pair >>> 8) && isOfTimes(pair & 0xff));
  }

  /** Adds to `hits` what is private in whole lines. `keys` is what is known of private keys from the lines before. */
  find(text: PlainText, hits: Hits, keys: PrivateKeys): void {
    this.#findAsWritten(text, hits, keys);
    if (hits.escaped.length > 0) {
      this.#findEscaped(text.bytes, hits, 0);
    }
    hits.settle();
  }

  /** How many bytes at the end of a text may be the beginning of a literal that goes on over a space. */
  literalBegunAtEnd({ bytes, start }: PlainText, end: number): number {
    return this.#literals.begunAtEnd(bytes, start, end);
  }

  #findAsWritten(text: Scanned, hits: Hits, keys: PrivateKeys): void {
    const { bytes, start, end } = text;
    for (let at = start; at < end; ) {
      if (keys.inside) {
        const lineEnd = find(bytes, at, EOL);
        keys.continue(bytes, at, lineEnd, hits);
        this.#scan(text, at, lineEnd, hits, keys);
        at = nextLine(bytes, lineEnd, hits);
      } else {
        at = this.#scan(text, at, end, hits, keys);
      }
    }
    undashedUuids(bytes, start, end, hits);
  }

  /** Looks at lines with escapes once more, with those undone, and again while that uncovers others. */
  #findEscaped(text: Uint8Array, hits: Hits, depth: number): void {
    const escaped = this.#escaped[depth];
    if (escaped === undefined) {
      return;
    }
    for (let i = 0; i < hits.escaped.length; i += 2) {
      const found = new Hits();
      escaped.load(text, hits.escaped[i]!, hits.escaped[i + 1]!);
      this.#findAsWritten(escaped, found, new PrivateKeys());
      this.#findEscaped(escaped.bytes, found, depth + 1);
      for (let hit = 0; hit < found.count; hit++) {
        hits.add(escaped.origin(found.starts[hit]!), escaped.origin(found.ends[hit]!), found.kind(hit));
      }
    }
  }

  /** Answers where it stopped: at `to`, or at the line after one in which a private key begins. */
  #scan({ bytes, view }: Scanned, from: number, to: number, hits: Hits, keys: PrivateKeys): number {
    const triggers = this.#triggers;
    for (let at = nextTrigger(triggers, view, from); at < to; at = nextTrigger(triggers, view, at)) {
      const trigger = triggers[(bytes[at]! << 8) | bytes[at - 1]!]!;
      if (trigger >= LITERAL) {
        this.#literals.find(bytes, at, hits);
      }
      const harmless = lengthOfCommonplace(bytes, at);
      if (harmless > 0) {
        at += this.#skipsTimes ? harmless : 1;
        continue;
      }
      const rule = trigger & ~LITERAL;
      const next = rule === 0 ? 0 : BY_NUMBER[rule - 1]!(bytes, at, hits, keys);
      at = Math.max(next, at + 1);
      if (keys.inside) {
        return nextLine(bytes, find(bytes, at, EOL), hits);
      }
    }
    return to;
  }
}

/**
 * What two thirds of all stops are for, ruled out before any rule is called: the time of day that a line begins with, and
 * decimals, versions and names of packages, which have no second dot where an address has it. Answers how much of it to
 * skip, or 0.
 */
function lengthOfCommonplace(text: Uint8Array, at: number): number {
  if (text[at] === COLON) {
    return isTimeOfDay(text, at) ? 4 : 0;
  }
  return text[at] === DOT && isCommonDot(text, at) ? 1 : 0;
}

function isCommonDot(text: Uint8Array, at: number): boolean {
  if (isFourFromDot(text, at)) {
    return false; // of a MAC address
  }
  if (!is(text[at - 1]!, DIGIT)) {
    return text[at - 1] !== LETTER_G; // of `SG.`, which begins a token
  }
  return (
    text[at + 2] !== DOT &&
    text[at + 3] !== DOT &&
    text[at + 4] !== DOT &&
    text[at - 1] !== NINE && // of `ya29.`, which begins a token
    text[at + 1] !== LETTER_A // of `ip6.arpa`
  );
}

function escapeSeen(text: Buffer, at: number, hits: Hits): number {
  return hits.noteEscape(text, at);
}

function backslashes(text: Buffer, at: number, hits: Hits): number {
  hits.noteEscape(text, at);
  return windowsHome(text, at, hits);
}

function dotAfterDigit(text: Buffer, at: number, hits: Hits): number {
  const mac = isFourFromDot(text, at) ? dottedHardwareAddress(text, at, hits) : 0;
  if (mac > 0) {
    return mac;
  }
  if (is(text[at + 1]!, DIGIT)) {
    return ipv4(text, at, hits);
  }
  // `ya29.` begins a token, `ip6.arpa` ends an address.
  return text[at - 1] === NINE ? dottedToken(text, at, hits) : reversedAddress(text, at, hits);
}

/** Where a MAC address with dots has its others. */
function isFourFromDot(text: Uint8Array, at: number): boolean {
  return text[at + 5] === DOT || text[at - 5] === DOT;
}

function dashAfterHex(text: Buffer, at: number, hits: Hits, keys: PrivateKeys): number {
  return (
    dashedUuid(text, at, hits) ||
    hardwareAddress(text, at, hits) ||
    dashedAddress(text, at, hits) ||
    keys.beginPutty(text, at)
  );
}

function slashAfterColon(text: Buffer, at: number, hits: Hits): number {
  return urlLogin(text, at - 1, hits) || windowsHome(text, at, hits) || loginCommand(text, at, hits);
}

function colonAfterHex(text: Buffer, at: number, hits: Hits): number {
  const after = text[at + 1]!;
  const isInWord = is(text[at - 2]!, IDENTIFIER) && !is(text[at - 2]!, HEX); // `Foo.java:12`
  if (!isInWord && (is(after, HEX) || after === COLON)) {
    const next = hardwareAddress(text, at, hits) || ipv6(text, at, hits);
    if (next > 0) {
      return next;
    }
  }
  if (is(text[at - 1]!, DIGIT)) {
    return telegramToken(text, at, hits) || numberedSecret(text, at, hits);
  }
  return keyedSecret(text, at, hits);
}

/** `12:34:56` with nothing before or behind it that an address would have. */
function isTimeOfDay(text: Uint8Array, colon: number): boolean {
  return (
    text[colon + 3] === COLON &&
    is(text[colon + 1]!, DIGIT) &&
    is(text[colon - 1]!, DIGIT) &&
    is(text[colon + 4]!, DIGIT) &&
    !is(text[colon - 3]!, WORD) &&
    text[colon - 3] !== COLON &&
    !is(text[colon + 6]!, WORD) &&
    text[colon + 6] !== COLON
  );
}

/** Two dashes or more may be a line drawn with them, or the beginning of a key in PEM. */
function dashes(text: Buffer, at: number, hits: Hits, keys: PrivateKeys): number {
  let end = at + 1;
  while (text[end] === DASH) {
    end++;
  }
  return keys.begin(text, end, hits) || end;
}

function isOfTimes(byte: number): boolean {
  return is(byte, DIGIT) || byte === COLON;
}

/** Behind the line end at `end`. Where the line was cut the scan goes on behind the mark. */
function nextLine(text: Uint8Array, end: number, hits: Hits): number {
  if (text[end] === NUL) {
    lineCut(text, end, hits);
    return end + 1;
  }
  let at = end;
  while (text[at] === CR) {
    at++;
  }
  return text[at] === LF ? at + 1 : at;
}

import { DIGIT, EOL, find, HEX, is, LOCAL_PART, WORD } from './byte-classes.ts';
import type { Hits } from './hits.ts';
import type { PlainText } from './plain-text.ts';
import { loginCommand } from './rules/chat-commands.ts';
import { email } from './rules/emails.ts';
import { hardwareAddress } from './rules/hardware-addresses.ts';
import { posixHome, windowsHome } from './rules/home-folders.ts';
import { ipv4 } from './rules/ipv4.ts';
import { ipv6 } from './rules/ipv6.ts';
import { flaggedSecret, keyedSecret } from './rules/keyed-secrets.ts';
import { Literals } from './rules/literals.ts';
import { dashedToken, dottedToken, githubToken, slackToken, underscoredToken } from './rules/prefixed-tokens.ts';
import type { PrivateKeys } from './rules/private-keys.ts';
import { spokenPassword } from './rules/spoken-passwords.ts';
import { bearerToken, cloudKey, discordToken, jsonWebToken, telegramToken, webhook } from './rules/tokens.ts';
import { oracleLogin, urlLogin } from './rules/url-logins.ts';
import { dashedUuid, undashedUuids } from './rules/uuids.ts';
import { LITERAL, nextTrigger, type TriggeredRule, triggerTable } from './triggers.ts';

const DASH = 0x2d;
const COLON = 0x3a;
const DOT = 0x2e;
const NINE = 0x39;
const CR = 0x0d;
const LF = 0x0a;

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const SPACES = ' \t\r\n';
const QUOTES = '"\'`';
/** How the names of secrets end: passworD, passphrasE, tokeN, credentialS, credentiaL, secreT, api-keY, autH. */
const KEY_ENDS = 'dehnsltyDEHNSLTY';

/** What sets each rule off: a byte, given the one before it. Where two would, the later entry is asked. */
const RULES: readonly TriggeredRule[] = [
  [DIGIT, '.', (text, at, hits) => (is(text[at + 1]!, DIGIT) ? ipv4 : dottedToken)(text, at, hits)],
  ['G', '.', dottedToken],
  [`${KEY_ENDS}${QUOTES} \t`, ':', keyedSecret],
  ['n', ':', (text, at, hits) => keyedSecret(text, at, hits) || oracleLogin(text, at, hits)],
  [HEX, ':', colonAfterHex],
  [':', ':', (text, at, hits) => ipv6(text, at - 1, hits)],
  [`${KEY_ENDS}rR${QUOTES} \t]`, '=', keyedSecret],
  [LOCAL_PART, '@', email],
  ['/', 'hU', (text, at, hits) => posixHome(text, at - 1, hits)],
  ['/', 'ws', (text, at, hits) => webhook(text, at - 1, hits)],
  [`${SPACES}${QUOTES}>`, '/', loginCommand],
  [':', '/', slashAfterColon],
  [`${LETTERS_AND_DIGITS}${SPACES}${QUOTES}:\\([=`, '\\', windowsHome],
  ['sS', 'wW', spokenPassword],
  ['AKS', 'I', cloudKey],
  ['y', 'J', jsonWebToken],
  ['B', 'e', (text, at, hits) => bearerToken(text, at - 1, hits)],
  ['g', 'h', githubToken],
  ['kmfcb1', '_', underscoredToken],
  ['Xk', '-', dashedToken],
  ['l', 'p', dashedToken],
  [HEX, '-', (text, at, hits) => dashedUuid(text, at, hits) || hardwareAddress(text, at, hits)],
  [`${SPACES}${QUOTES}[`, '-', flaggedSecret],
  ['-', '-', dashes],
  ['o', 'x', slackToken],
  ['x', 'a', slackToken],
  ['MNO', 'DTjz', discordToken],
];

/** All rules over a text: one pass that stops where two neighbouring bytes set off a rule, which then looks around. */
export class RedactionRules {
  readonly #triggers: Uint8Array;
  readonly #literals: Literals;
  /** No literal is looked for within a time of day. */
  readonly #skipsTimes: boolean;

  constructor(secrets: readonly string[]) {
    this.#literals = new Literals(secrets);
    this.#triggers = triggerTable(RULES, this.#literals.pairs);
    this.#skipsTimes = !this.#literals.pairs.some((pair) => isOfTimes(pair >>> 8) && isOfTimes(pair & 0xff));
  }

  /** Adds to `hits` what is private in whole lines. `keys` is what is known of private keys from the lines before. */
  find(text: PlainText, hits: Hits, keys: PrivateKeys): void {
    const { bytes, start, end } = text;
    for (let at = start; at < end; ) {
      if (keys.inside) {
        const lineEnd = find(bytes, at, EOL);
        keys.continue(bytes, at, lineEnd, hits);
        this.#scan(text, at, lineEnd, hits, keys);
        at = nextLine(bytes, lineEnd);
      } else {
        at = this.#scan(text, at, end, hits, keys);
      }
    }
    undashedUuids(bytes, start, end, hits);
    hits.settle();
  }

  /** How many bytes at the end of a text may be the beginning of a literal that goes on over a space. */
  literalBegunAtEnd({ bytes, start }: PlainText, end: number): number {
    return this.#literals.begunAtEnd(bytes, start, end);
  }

  /** Answers where it stopped: at `to`, or at the line after one in which a private key begins. */
  #scan({ bytes, view }: PlainText, from: number, to: number, hits: Hits, keys: PrivateKeys): number {
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
      const next = rule === 0 ? 0 : RULES[rule - 1]![2](bytes, at, hits, keys);
      at = Math.max(next, at + 1);
      if (keys.inside) {
        return nextLine(bytes, find(bytes, at, EOL));
      }
    }
    return to;
  }
}

/**
 * What two thirds of all stops are for, ruled out before any rule is called: the time of day that a line begins with, and
 * decimals and versions, which have no second dot near. Answers how much of it to skip, or 0.
 */
function lengthOfCommonplace(text: Uint8Array, at: number): number {
  if (text[at] === COLON) {
    return isTimeOfDay(text, at) ? 4 : 0;
  }
  const isDecimal =
    text[at] === DOT &&
    text[at + 2] !== DOT &&
    text[at + 3] !== DOT &&
    text[at + 4] !== DOT &&
    text[at - 1] !== NINE && // `ya29.` begins a token
    is(text[at - 1]!, DIGIT);
  return isDecimal ? 1 : 0;
}

function slashAfterColon(text: Buffer, at: number, hits: Hits): number {
  return urlLogin(text, at - 1, hits) || windowsHome(text, at, hits) || loginCommand(text, at, hits);
}

function colonAfterHex(text: Buffer, at: number, hits: Hits): number {
  const after = text[at + 1]!;
  if (is(after, HEX) || after === COLON) {
    const next = hardwareAddress(text, at, hits) || ipv6(text, at, hits);
    if (next > 0) {
      return next;
    }
  }
  return is(text[at - 1]!, DIGIT) ? telegramToken(text, at, hits) : keyedSecret(text, at, hits);
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

function nextLine(text: Uint8Array, end: number): number {
  let at = end;
  while (text[at] === CR) {
    at++;
  }
  return text[at] === LF ? at + 1 : at;
}

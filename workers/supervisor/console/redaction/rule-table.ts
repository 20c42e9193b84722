import { CUT_MARK } from '../terminal/line-cut.ts';
import { FOREIGN_KEY_ENDS } from './clues/secret-keys.ts';
import { loginCommand } from './rules/chat-commands.ts';
import { chatLogin } from './rules/chat-logins.ts';
import { commandLineLogin } from './rules/command-line-logins.ts';
import { abbreviatedVariable } from './rules/console-variables.ts';
import { lineCut } from './rules/cut-lines.ts';
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
import { passwordHash } from './rules/password-hashes.ts';
import { prefixedTokens } from './rules/prefixed-tokens.ts';
import type { PrivateKeys } from './rules/private-keys.ts';
import { passwordInSentence, tokenInSentence } from './rules/sentence-secrets.ts';
import {
  bearerToken,
  cloudKey,
  discordToken,
  jsonWebToken,
  managementSecret,
  telegramToken,
  webhook,
} from './rules/shaped-tokens.ts';
import {
  argumentSecret,
  attributeSecret,
  elementSecret,
  identifiedBy,
  listedSecret,
} from './rules/structured-secrets.ts';
import { bareLogin, oracleLogin, urlLogin } from './rules/url-logins.ts';
import { dashedUuid, intArrayUuid } from './rules/uuids.ts';
import { DIGIT, HEX, IDENTIFIER, is } from './scan/byte-classes.ts';
import { isFourFromDot } from './scan/harmless-stops.ts';
import type { Hits } from './scan/hits.ts';
import type { TriggeredRule } from './scan/triggers.ts';

const DASH = 0x2d;
const COLON = 0x3a;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const SPACES = ' \t\r\n';
const QUOTES = '"\'`';
const ANYTHING = String.fromCharCode(...Array(256).keys());
/** The last characters of the names of secrets: passworD, passphrasE, tokeN, credentialS, credentiaL, secreT, api-keY, autH, pW, siG. */
const KEY_ENDS = `dehnsltywgDEHNSLTYWG${FOREIGN_KEY_ENDS}`;
/** A key may also be in quotes, or in columns. */
const AFTER_KEY = `${KEY_ENDS}${QUOTES} \t`;
/** The first bytes of arrows, and of punctuation as wide as an ideograph. */
const WIDE = '\xe2\xef';

/**
 * All rules: which two neighbouring bytes each is asked at. A row is `[first, second, rule]` and stands for every pair of one of the first
 * bytes and one of the second; the rule gets the index of the second. Rules with the same pair are asked in the order of the rows until one
 * finds something. docs/redaction.md describes how to add a rule.
 */
export const RULES: readonly TriggeredRule[] = [
  // Escapes, which are undone for a second look at the line. They find nothing themselves.
  ['%', `${DIGITS}abcdefABCDEF`, escapeSeen],
  ['\\', `${QUOTES}/:=#! unrtx\\`, escapeSeen],
  ['&', '#qalg', escapeSeen],

  // E-mail addresses, and logins that look like them
  [ANYTHING, '@', bareLogin],
  [ANYTHING, '@', email],

  // Addresses and UUIDs
  ['abcdefABCDEF', '.', dottedHardwareAddress],
  [DIGIT, '.', addressWithDots],
  [HEX, ':', addressWithColons],
  [':', ':', (text, at, hits) => ipv6(text, at - 1, hits)],
  [HEX, '-', addressWithDashes],
  ['I', ';', intArrayUuid],

  // Tokens of vendors
  ...prefixedTokens,
  ['MNO', 'DTjz', discordToken],
  ['AKS', 'I', cloudKey],
  ['y', 'J', jsonWebToken],
  ['B', 'e', (text, at, hits) => bearerToken(text, at - 1, hits)],
  ['t', '-', managementSecret],
  ['/', 'ws', (text, at, hits) => webhook(text, at - 1, hits)],
  [DIGIT, ':', telegramToken],

  // Private keys and hashes
  ['-', '-', pemKey],
  ['e', '-', (text, at, _, keys) => keys.beginPutty(text, at)],
  ['$', '2aSp56s', passwordHash],

  // Values of keys that are named like a secret
  [`${AFTER_KEY}aA`, ':', keyedSecret],
  [`${AFTER_KEY}arAR]`, '=', keyedSecret],
  [DIGIT, ':=', numberedSecret],
  [AFTER_KEY, '|', tabledSecret],
  [AFTER_KEY, WIDE, widelySeparatedSecret],
  ['-', '>', arrowedSecret],
  [KEY_ENDS, '(', argumentSecret],
  [QUOTES, ',;', listedSecret],
  ['eE', '=', attributeSecret],
  ['<', '/', elementSecret],
  ['E', 'D', identifiedBy],

  // Passwords and tokens in sentences
  ['sS', 'wW', passwordInSentence],
  ['pP', 'wW', abbreviatedVariable],
  ['iI', 'sS', tokenInSentence],

  // Logins in URLs, commands and chat
  [':', '/', (text, at, hits) => urlLogin(text, at - 1, hits)],
  ['n', ':', oracleLogin],
  [`${SPACES}${QUOTES}[`, '-', flaggedSecret],
  [`${SPACES}${QUOTES}[`, '-', commandLineLogin],
  ['gG', 'iI', chatLogin],

  // User names in home folders
  ['/', 'hU', (text, at, hits) => posixHome(text, at - 1, hits)],
  [`${LETTERS}${DIGITS}${SPACES}${QUOTES}:([=$\\`, '\\', windowsHome],
  [':', '/', windowsHome],
  ['~', LETTERS, tildeHome],
  ['a', '_', performanceData],

  [`${SPACES}${QUOTES}>:`, '/', loginCommand],

  // The end of a line that was cut
  [ANYTHING, CUT_MARK, lineCut],
];

function escapeSeen(text: Buffer, at: number, hits: Hits): number {
  return hits.noteEscape(text, at);
}

// These three are asked so often that one function is measurably faster than a row for each rule.

function addressWithDots(text: Buffer, at: number, hits: Hits): number {
  const end = isFourFromDot(text, at) ? dottedHardwareAddress(text, at, hits) : 0;
  if (end > 0) {
    return end;
  }
  return is(text[at + 1]!, DIGIT) ? ipv4(text, at, hits) : reversedAddress(text, at, hits);
}

function addressWithDashes(text: Buffer, at: number, hits: Hits): number {
  return dashedUuid(text, at, hits) || hardwareAddress(text, at, hits) || dashedAddress(text, at, hits);
}

/** Hardware addresses and IPv6, but not `Foo.java:12`. */
function addressWithColons(text: Buffer, at: number, hits: Hits): number {
  const after = text[at + 1]!;
  const isInWord = is(text[at - 2]!, IDENTIFIER) && !is(text[at - 2]!, HEX);
  return !isInWord && (is(after, HEX) || after === COLON) ? hardwareAddress(text, at, hits) || ipv6(text, at, hits) : 0;
}

/** Two dashes or more may be a line drawn with them, or the beginning of a key in PEM. */
function pemKey(text: Buffer, at: number, hits: Hits, keys: PrivateKeys): number {
  let end = at + 1;
  while (text[end] === DASH) {
    end++;
  }
  return keys.begin(text, end, hits) || end;
}

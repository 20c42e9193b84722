import { CUT_MARK } from '../terminal/line-cut.ts';
import { FOREIGN_KEY_ENDS } from './clues/secret-keys.ts';
import { loginCommand } from './rules/chat-commands.ts';
import { chatLogin } from './rules/chat-logins.ts';
import { commandLineLogin } from './rules/command-line-logins.ts';
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
import type { PrivateKeys } from './rules/private-keys.ts';
import { spokenPassword, spokenToken } from './rules/sentence-secrets.ts';
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
const NINE = 0x39;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SPACES = ' \t\r\n';
const QUOTES = '"\'`';
const ANYTHING = String.fromCharCode(...Array(256).keys());
/** How the names of secrets end: passworD, passphrasE, tokeN, credentialS, credentiaL, secreT, api-keY, autH, pW, siG. */
const KEY_ENDS = `dehnsltywgDEHNSLTYWG${FOREIGN_KEY_ENDS}`;
/** The first bytes of arrows, and of punctuation as wide as an ideograph. */
const WIDE = '\xe2\xef';

/** What sets each rule off: a byte, given the one before it. Where two would, the later entry is asked. */
export const RULES: readonly TriggeredRule[] = [
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

/** Two dashes or more may be a line drawn with them, or the beginning of a key in PEM. */
function dashes(text: Buffer, at: number, hits: Hits, keys: PrivateKeys): number {
  let end = at + 1;
  while (text[end] === DASH) {
    end++;
  }
  return keys.begin(text, end, hits) || end;
}

import { looksSecret } from '../clues/secret-looks.ts';
import { KIND } from '../kinds.ts';
import {
  ALNUM,
  BASE64,
  bytesOf,
  DIGIT,
  EOL,
  IDENTIFIER,
  is,
  LETTER,
  skip,
  skipBack,
  startsWith,
  startsWithAnyCase,
  TOKEN,
  UPPER,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DOT = 0x2e;
const SLASH = 0x2f;

/**
 * A Discord bot's token, at its second character: the base64 of a numeric id (so it starts with one of twelve pairs), six characters of
 * time, a signature.
 */
export function discordToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = at - 1;
  const id = skip(text, start, TOKEN, 32);
  if (text[id] !== DOT || id - start < 23 || text[id + 7] !== DOT || is(text[start - 1]!, IDENTIFIER)) {
    return 0;
  }
  const end = skip(text, id + 8, TOKEN);
  if (skip(text, id + 1, TOKEN, 7) !== id + 7 || end - id - 8 < 25) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

const GOOGLE = bytesOf('AIza');
const GOOGLE_BODY = 35;
const AWS_BODY = 16;

/** AWS access key ids (AKIA, ASIA) with their secrets, and Google API keys (AIza), at the `I`. */
export function cloudKey(text: Uint8Array, at: number, hits: Hits): number {
  const before = text[at - 1]!;
  if (before === 0x41) {
    const end = skip(text, at + 3, TOKEN, GOOGLE_BODY + 1);
    if (startsWith(text, at - 1, GOOGLE) && end - at - 3 === GOOGLE_BODY && !is(text[at - 2]!, ALNUM)) {
      hits.add(at - 1, end, KIND.token);
      return end;
    }
    return 0;
  }
  if ((before !== 0x4b && before !== 0x53) || text[at - 2] !== 0x41 || text[at + 1] !== 0x41) {
    return 0;
  }
  const end = skip(text, at + 2, UPPER | DIGIT, AWS_BODY + 1);
  if (end - at - 2 !== AWS_BODY || is(text[at - 3]!, ALNUM) || is(text[end]!, ALNUM)) {
    return 0;
  }
  awsSecrets(text, backToLine(text, at - 2), at - 2, hits);
  hits.add(at - 2, end, KIND.token);
  // A separator may be one of the secret's characters.
  awsSecrets(text, text[end] === SLASH ? end + 1 : end, end + NEAR_AWS_KEY, hits);
  return end;
}

/** An AWS secret key has this many characters of base64, and no mark of its own (AWS IAM User Guide, "Manage access keys"). */
const AWS_SECRET = 40;
/** Bytes before and after a key id in which its secret is looked for. */
const NEAR_AWS_KEY = 256;
const SECRET_CHARACTERS = ALNUM | BASE64;
const EQUALS = 0x3d;

/** Hides what may be the secret of an access key id beside it, from `from` to `to` in the same line. */
function awsSecrets(text: Uint8Array, from: number, to: number, hits: Hits): void {
  for (let at = from; at < to && !is(text[at]!, EOL); ) {
    const end = endOfAwsSecret(text, at);
    if (end - at === AWS_SECRET && mixesCases(text, at, end)) {
      hits.add(at, end, KIND.token);
    }
    at = Math.max(end, at + 1);
  }
}

function endOfAwsSecret(text: Uint8Array, start: number): number {
  let end = start;
  while (text[end] !== EQUALS && is(text[end]!, SECRET_CHARACTERS)) {
    end++;
  }
  return end;
}

/** Returns whether the text has capitals, small letters and digits: a hash in hexadecimal or a path in small letters has not. */
function mixesCases(text: Uint8Array, start: number, end: number): boolean {
  let seen = 0;
  for (let at = start; at < end; at++) {
    const byte = text[at]!;
    seen |= is(byte, DIGIT) ? 1 : is(byte, UPPER) ? 2 : is(byte, LETTER) ? 4 : 0;
  }
  return seen === 7;
}

/** Returns the start of the line, or the start of a word near enough if that is further back. */
function backToLine(text: Uint8Array, end: number): number {
  let start = end;
  while (start > end - NEAR_AWS_KEY && !is(text[start - 1]!, EOL)) {
    start--;
  }
  while (is(text[start]!, SECRET_CHARACTERS) && is(text[start - 1]!, SECRET_CHARACTERS)) {
    start++;
  }
  return start;
}

const SHORTEST_PART = 8;
const MOST_PARTS = 5;

/** A JWT (RFC 7519, a JWS of 3 parts or a JWE of 5), at the `J` of `eyJ`. */
export function jsonWebToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = at - 2;
  if (text[start] !== 0x65 || text[start + 1] !== 0x79 || is(text[start - 1]!, TOKEN)) {
    return 0;
  }
  let end = skip(text, at, TOKEN);
  if (end - start < SHORTEST_PART) {
    return 0;
  }
  let parts = 1;
  while (parts < MOST_PARTS && text[end] === DOT && is(text[end + 1]!, TOKEN)) {
    end = skip(text, end + 1, TOKEN);
    parts++;
  }
  if (parts < 2) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

const BEARER = bytesOf('bearer ');

/** `Bearer x` without the header's name, at the `B`. */
export function bearerToken(text: Uint8Array, at: number, hits: Hits): number {
  if (!startsWithAnyCase(text, at, BEARER) || is(text[at - 1]!, ALNUM)) {
    return 0;
  }
  const start = at + BEARER.length;
  const end = endOfBearer(text, start);
  if (end - start < 12 || !looksSecret(text, start, end)) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

/** The WebSocket subprotocol of Minecraft's management server. */
const MANAGEMENT = bytesOf('minecraft-v1,');
const SHORTEST_SECRET = 20;

/** `Sec-WebSocket-Protocol: minecraft-v1,<secret>`, at the dash. */
export function managementSecret(text: Uint8Array, dash: number, hits: Hits): number {
  const name = dash - 'minecraft'.length;
  if (!startsWith(text, name, MANAGEMENT)) {
    return 0;
  }
  let start = name + MANAGEMENT.length;
  while (text[start] === 0x20) {
    start++;
  }
  const end = skip(text, start, ALNUM);
  if (end - start < SHORTEST_SECRET) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

const WEBHOOKS = bytesOf('/webhooks/');
const SERVICES = bytesOf('/services/T');

/** The secret part of a webhook's URL, at the slash: Discord's `/webhooks/<id>/<token>`, Slack's `/services/T../B../..`. */
export function webhook(text: Uint8Array, at: number, hits: Hits): number {
  let start = 0;
  let end = 0;
  if (startsWith(text, at, WEBHOOKS)) {
    start = at + WEBHOOKS.length;
    const id = skip(text, start, DIGIT);
    end = id - start >= 15 && text[id] === SLASH ? skip(text, id + 1, TOKEN) : start;
  } else if (startsWith(text, at, SERVICES)) {
    start = at + SERVICES.length - 1;
    end = skip(text, start, ALNUM);
    while (text[end] === SLASH) {
      end = skip(text, end + 1, ALNUM);
    }
  }
  if (end - start < 20) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

const BOT = bytesOf('bot');

/** A Telegram bot's token, at its colon: 8 to 10 digits before it, 35 characters after it. */
export function telegramToken(text: Uint8Array, colon: number, hits: Hits): number {
  const start = skipBack(text, colon, DIGIT, 11);
  const isBot = startsWith(text, start - BOT.length, BOT); // `https://api.telegram.org/bot123456789:...`
  if (colon - start < 8 || colon - start > 10 || (is(text[start - 1]!, IDENTIFIER) && !isBot)) {
    return 0;
  }
  const end = skip(text, colon + 1, TOKEN, 36);
  if (end - colon - 1 !== 35) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

/** A b64token (RFC 6750), which may contain dots and equals signs. */
function endOfBearer(text: Uint8Array, start: number): number {
  let end = start;
  while (
    is(text[end]!, TOKEN) ||
    text[end] === DOT ||
    text[end] === 0x2b ||
    text[end] === SLASH ||
    text[end] === 0x3d
  ) {
    end++;
  }
  return end;
}

import {
  ALNUM,
  bytesOf,
  DIGIT,
  is,
  skip,
  skipBack,
  startsWith,
  startsWithAnyCase,
  TOKEN,
  UPPER,
  WORD,
} from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';
import { looksSecret } from './secret-values.ts';

const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const SLASH = 0x2f;

/** What a vendor's tokens start with, what they go on with, and how long that must be at least. */
interface Prefix {
  readonly bytes: Uint8Array;
  readonly body: number;
  readonly shortest: number;
}

const prefixes = (body: number, list: Record<string, number>): readonly Prefix[] =>
  Object.entries(list).map(([text, shortest]) => ({ bytes: bytesOf(text), body, shortest }));

const GITHUB = prefixes(ALNUM, { ghp_: 30, gho_: 30, ghu_: 30, ghs_: 30, ghr_: 30 });

const UNDERSCORED = [
  ...prefixes(ALNUM, { npm_: 30, hf_: 30, whsec_: 20, sk_live_: 10, sk_test_: 10, rk_live_: 10, rk_test_: 10 }),
  ...prefixes(ALNUM, { pk_live_: 10, pk_test_: 10 }),
  ...prefixes(WORD, { github_pat_: 22, dop_v1_: 40 }),
];

/** GitLab, Google's OAuth secrets, OpenAI and its like. */
const DASHED = prefixes(TOKEN, { 'glpat-': 20, 'GOCSPX-': 20, 'sk-ant-': 20, 'sk-proj-': 20, 'sk-': 32 });

const SLACK = prefixes(TOKEN, {
  'xoxa-': 10,
  'xoxb-': 10,
  'xoxc-': 10,
  'xoxd-': 10,
  'xoxe-': 10,
  'xoxe.xoxb-': 10,
  'xoxe.xoxp-': 10,
  'xoxp-': 10,
  'xoxr-': 10,
  'xoxs-': 10,
  'xapp-': 10,
});

/** Google's OAuth access tokens, SendGrid's keys. */
const DOTTED = prefixes(TOKEN, { 'ya29.': 20, 'SG.': 16 });

/** GitHub's short prefixes at the `h`. Answers 0 if there is none, as all rules do. */
export function githubToken(text: Uint8Array, at: number, hits: Hits): number {
  return text[at + 2] === UNDERSCORE ? prefixed(text, at - 1, GITHUB, hits) : 0;
}

/** npm, Hugging Face, Stripe, GitHub's long form, DigitalOcean: at the first underscore, or the second of `dop_v1_`. */
export function underscoredToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = skipBack(text, at, WORD, 8);
  return prefixed(text, start, UNDERSCORED, hits);
}

/** At the first dash, or at the `p` of `glpat-`. */
export function dashedToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = skipBack(text, at, ALNUM, 8);
  return prefixed(text, start, DASHED, hits);
}

/** At the second `x` of `xoxb-`, or the `a` of `xapp-`. */
export function slackToken(text: Uint8Array, at: number, hits: Hits): number {
  return prefixed(text, text[at] === 0x61 ? at - 1 : at - 2, SLACK, hits);
}

/** At the first dot. */
export function dottedToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = skipBack(text, at, ALNUM, 8);
  return prefixed(text, start, DOTTED, hits);
}

/**
 * A Discord bot's token at its second character: base64 of a numeric id (so it starts with one of twelve pairs), six
 * characters of time, a signature.
 */
export function discordToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = at - 1;
  const id = skip(text, start, TOKEN, 32);
  if (text[id] !== DOT || id - start < 23 || text[id + 7] !== DOT || is(text[start - 1]!, WORD)) {
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

/** AWS access key ids (AKIA, ASIA) and Google API keys (AIza) at their `I`. */
export function cloudKey(text: Uint8Array, at: number, hits: Hits): number {
  const before = text[at - 1]!;
  if (before === 0x41) {
    const end = skip(text, at + 3, TOKEN, GOOGLE_BODY + 1);
    if (startsWith(text, at - 1, GOOGLE) && end - at - 3 === GOOGLE_BODY && !is(text[at - 2]!, WORD)) {
      hits.add(at - 1, end, KIND.token);
      return end;
    }
    return 0;
  }
  if ((before !== 0x4b && before !== 0x53) || text[at - 2] !== 0x41 || text[at + 1] !== 0x41) {
    return 0;
  }
  const end = skip(text, at + 2, UPPER | DIGIT, AWS_BODY + 1);
  if (end - at - 2 !== AWS_BODY || is(text[at - 3]!, WORD) || is(text[end]!, ALNUM)) {
    return 0;
  }
  hits.add(at - 2, end, KIND.token);
  return end;
}

const SHORTEST_PART = 8;
const MOST_PARTS = 5;

/** A JWT (RFC 7519, JWS of 3 parts or JWE of 5) at the `J` of its `eyJ`. */
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

/** `Bearer x` without its header's name, at the `B`. */
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

const WEBHOOKS = bytesOf('/webhooks/');
const SERVICES = bytesOf('/services/T');

/** What makes a webhook's URL secret, at the slash: Discord's `/webhooks/<id>/<token>`, Slack's `/services/T../B../..`. */
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

/** A Telegram bot's token at its colon: 8 to 10 digits before it, 35 characters behind. */
export function telegramToken(text: Uint8Array, colon: number, hits: Hits): number {
  const start = skipBack(text, colon, DIGIT, 11);
  if (colon - start < 8 || colon - start > 10 || is(text[start - 1]!, WORD)) {
    return 0;
  }
  const end = skip(text, colon + 1, TOKEN, 36);
  if (end - colon - 1 !== 35) {
    return 0;
  }
  hits.add(start, end, KIND.token);
  return end;
}

/** The token of the first prefix that stands at `start`, with further parts behind dots. */
function prefixed(text: Uint8Array, start: number, candidates: readonly Prefix[], hits: Hits): number {
  if (is(text[start - 1]!, ALNUM)) {
    return 0;
  }
  for (const { bytes, body, shortest } of candidates) {
    if (text[start] !== bytes[0] || !startsWith(text, start, bytes)) {
      continue;
    }
    const from = start + bytes.length;
    let end = skip(text, from, body);
    if (end - from < shortest) {
      continue;
    }
    while (text[end] === DOT && is(text[end + 1]!, TOKEN)) {
      end = skip(text, end + 1, TOKEN);
    }
    hits.add(start, end, KIND.token);
    return end;
  }
  return 0;
}

/** RFC 6750's b64token, whose dots and equals signs other words do not have. */
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

import { KIND } from '../kinds.ts';
import { ALNUM, bytesOf, IDENTIFIER, is, skip, skipBack, startsWith, TOKEN } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DOT = 0x2e;
const UNDERSCORE = 0x5f;

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
  ...prefixes(ALNUM, { pk_live_: 10, pk_test_: 10, mrp_: 40, mra_: 40, shpat_: 30 }),
  ...prefixes(IDENTIFIER, { github_pat_: 22, dop_v1_: 40, dckr_pat_: 20 }),
];

/** GitLab, Google's OAuth secrets, OpenAI and its like, Tailscale, PyPI. */
const DASHED = [
  ...prefixes(TOKEN, {
    'glpat-': 20,
    'glrt-': 20,
    'gldt-': 20,
    'GOCSPX-': 20,
    'sk-ant-': 20,
    'sk-proj-': 20,
    'sk-': 32,
  }),
  ...prefixes(TOKEN, { 'tskey-': 20, 'pypi-': 40 }),
];

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

/** Discord accounts with a second factor. */
const MFA = prefixes(TOKEN, { 'mfa.': 60 });

/** age's private keys (https://age-encryption.org/v1). */
const AGE = prefixes(ALNUM, { 'AGE-SECRET-KEY-1': 50 });

/** Google's OAuth refresh tokens. */
const SLASHED = prefixes(TOKEN, { '1//0': 30 });

/** GitHub's short prefixes at the `h`. Answers 0 if there is none, as all rules do. */
export function githubToken(text: Uint8Array, at: number, hits: Hits): number {
  return text[at + 2] === UNDERSCORE ? prefixed(text, at - 1, GITHUB, hits) : 0;
}

/** npm, Hugging Face, Stripe, Modrinth, Shopify, GitHub's long form, Docker Hub, DigitalOcean: at the first underscore, or the second of `dop_v1_`. */
export function underscoredToken(text: Uint8Array, at: number, hits: Hits): number {
  const start = skipBack(text, at, IDENTIFIER, 8);
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

/** At the `a`. */
export function mfaToken(text: Uint8Array, at: number, hits: Hits): number {
  return text[at + 1] === DOT ? prefixed(text, at - 2, MFA, hits) : 0;
}

/** At the last dash. */
export function ageIdentity(text: Uint8Array, at: number, hits: Hits): number {
  return prefixed(text, at - 'AGE-SECRET-KEY'.length, AGE, hits);
}

/** At the first slash. */
export function slashedToken(text: Uint8Array, at: number, hits: Hits): number {
  return prefixed(text, at - 1, SLASHED, hits);
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

import { KIND } from '../kinds.ts';
import { ALNUM, bytesOf, IDENTIFIER, is, skip, startsWith, TOKEN } from '../scan/byte-classes.ts';
import type { Rule, TriggeredRule } from '../scan/triggers.ts';

const DOT = 0x2e;

interface Shape {
  /** Two neighbouring characters of the prefix, at which the scan stops. Choose a pair that is rare in logs. */
  readonly stopAt: string;
  /** What the token consists of after the prefix, as byte classes. */
  readonly body: number;
  /** The minimum length of that, in bytes. */
  readonly shortest: number;
  /**
   * The token does not follow one of these byte classes. Default: letters and digits. `IDENTIFIER` adds the underscore: `users_pk_test_x`
   * is not a Stripe token.
   */
  readonly notAfter?: number;
}

/** Tokens that begin with their vendor's prefix. To hide the tokens of another vendor, add a line here. */
const VENDOR_TOKENS: readonly Prefix[] = [
  // age, a private key (https://age-encryption.org/v1)
  ...tokens('AGE-SECRET-KEY-1', { stopAt: 'Y-', body: ALNUM, shortest: 50 }),
  // DigitalOcean
  ...tokens('dop_v1_', { stopAt: '1_', body: IDENTIFIER, shortest: 40, notAfter: IDENTIFIER }),
  // Discord, accounts with a second factor
  ...tokens('mfa.', { stopAt: 'fa', body: TOKEN, shortest: 60 }),
  // Docker Hub
  ...tokens('dckr_pat_', { stopAt: 't_', body: IDENTIFIER, shortest: 20 }),
  // GitHub
  ...tokens('ghp_ gho_ ghu_ ghs_ ghr_', { stopAt: 'gh', body: ALNUM, shortest: 30 }),
  ...tokens('github_pat_', { stopAt: 'b_', body: IDENTIFIER, shortest: 22, notAfter: IDENTIFIER }),
  // GitLab
  ...tokens('glpat- glrt- gldt-', { stopAt: 't-', body: TOKEN, shortest: 20 }),
  // Google OAuth: client secrets, refresh tokens, access tokens
  ...tokens('GOCSPX-', { stopAt: 'X-', body: TOKEN, shortest: 20 }),
  ...tokens('1//0', { stopAt: '1/', body: TOKEN, shortest: 30 }),
  ...tokens('ya29.', { stopAt: '9.', body: TOKEN, shortest: 20 }),
  // Hugging Face
  ...tokens('hf_', { stopAt: 'f_', body: ALNUM, shortest: 30, notAfter: IDENTIFIER }),
  // Modrinth
  ...tokens('mrp_', { stopAt: 'p_', body: ALNUM, shortest: 40, notAfter: IDENTIFIER }),
  ...tokens('mra_', { stopAt: 'a_', body: ALNUM, shortest: 40, notAfter: IDENTIFIER }),
  // npm
  ...tokens('npm_', { stopAt: 'm_', body: ALNUM, shortest: 30, notAfter: IDENTIFIER }),
  // OpenAI, Anthropic and others like them
  ...tokens('sk-ant- sk-proj-', { stopAt: 'k-', body: TOKEN, shortest: 20 }),
  ...tokens('sk-', { stopAt: 'k-', body: TOKEN, shortest: 32 }),
  // PyPI
  ...tokens('pypi-', { stopAt: 'i-', body: TOKEN, shortest: 40 }),
  // SendGrid
  ...tokens('SG.', { stopAt: 'G.', body: TOKEN, shortest: 16 }),
  // Shopify
  ...tokens('shpat_', { stopAt: 't_', body: ALNUM, shortest: 30, notAfter: IDENTIFIER }),
  // Slack
  ...tokens('xoxa- xoxb- xoxc- xoxd- xoxe- xoxe.xoxb- xoxe.xoxp-', { stopAt: 'ox', body: TOKEN, shortest: 10 }),
  ...tokens('xoxp- xoxr- xoxs-', { stopAt: 'ox', body: TOKEN, shortest: 10 }),
  ...tokens('xapp-', { stopAt: 'xa', body: TOKEN, shortest: 10 }),
  // Stripe
  ...tokens('sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_', {
    stopAt: 'k_',
    body: ALNUM,
    shortest: 10,
    notAfter: IDENTIFIER,
  }),
  ...tokens('whsec_', { stopAt: 'c_', body: ALNUM, shortest: 20, notAfter: IDENTIFIER }),
  // Tailscale
  ...tokens('tskey-', { stopAt: 'y-', body: TOKEN, shortest: 20 }),
];

interface Prefix extends Required<Shape> {
  readonly bytes: Uint8Array;
  /** Index in the prefix of the second of the two characters. */
  readonly stopIndex: number;
}

function tokens(prefixes: string, shape: Shape): Prefix[] {
  return prefixes.split(' ').map((prefix) => ({
    notAfter: ALNUM,
    ...shape,
    bytes: bytesOf(prefix),
    stopIndex: prefix.indexOf(shape.stopAt) + 1,
  }));
}

/** One rule for each pair of characters at which the scan stops. */
export const prefixedTokens: readonly TriggeredRule[] = [
  ...Map.groupBy(VENDOR_TOKENS, ({ stopAt }) => stopAt).entries(),
].map(([stopAt, prefixes]) => [stopAt[0]!, stopAt[1]!, ruleFor(prefixes)]);

function ruleFor(prefixes: readonly Prefix[]): Rule {
  return (text, at, hits) => {
    for (const prefix of prefixes) {
      const end = endOfToken(text, at - prefix.stopIndex, prefix);
      if (end > 0) {
        hits.add(at - prefix.stopIndex, end, KIND.token);
        return end;
      }
    }
    return 0;
  };
}

/** Returns where the token ends that starts at `start`, or 0 if there is none. */
function endOfToken(text: Uint8Array, start: number, { bytes, body, shortest, notAfter }: Prefix): number {
  const from = start + bytes.length;
  // The last character first: words such as "right" contain the two that made the scan stop.
  if (text[from - 1] !== bytes[bytes.length - 1] || is(text[start - 1]!, notAfter) || !startsWith(text, start, bytes)) {
    return 0;
  }
  let end = skip(text, from, body);
  if (end - from < shortest) {
    return 0;
  }
  while (text[end] === DOT && is(text[end + 1]!, TOKEN)) {
    end = skip(text, end + 1, TOKEN); // further parts
  }
  return end;
}

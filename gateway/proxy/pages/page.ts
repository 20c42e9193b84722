import { type Html, html } from '../../../shared/node/html.ts';

/**
 * Most pages run no script, and none is framed. `form-action` is left out: Chrome applies it to redirects as well, and a sign-in ends with one to
 * the program's own address (https://github.com/w3c/webappsec-csp/issues/8). oidc-provider adds the hash of its script to `script-src`. With
 * `no-referrer` browsers would send no Origin with our own forms.
 */
export const PAGE_HEADERS = {
  'content-security-policy': policyWith('script-src'),
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
} as const;

/** For pages that use passkeys (passkeys/browser-scripts.ts) or keep themselves up to date. */
const SCRIPT_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': policyWith("script-src 'self'; connect-src 'self'"),
};
const SCRIPTS = html`<script src="/assets/simplewebauthn.js" defer></script><script src="/assets/passkeys.js" defer></script>`;

const LIVE = html`<link rel="stylesheet" href="/assets/fleet.css"><script src="/assets/live.js" defer></script>`;

/** A keeper's shield. */
const MARK = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path fill="currentColor" d="M12 2 4 5v6c0 5 3.4 9.3 8 11 4.6-1.7 8-6 8-11V5z"/><path class="tick" d="m8.5 12 2.5 2.5 4.5-5" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

function policyWith(scripts: string): string {
  return `default-src 'none'; ${scripts}; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

export interface PageOptions {
  title: string;
  /** A wide page for lists; otherwise a narrow one for a form. */
  wide?: boolean;
  /** The page has buttons for passkeys. */
  usesPasskeys?: boolean;
  /** The page is one of the overview, which keep themselves up to date (fleet/pages/assets.ts). */
  isLive?: boolean;
  body: Html;
}

export function page({ title, wide = false, usesPasskeys = false, isLive = false, body }: PageOptions): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} &middot; Gamekeeper</title><link rel="stylesheet" href="/style.css">${usesPasskeys ? SCRIPTS : ''}${isLive ? LIVE : ''}</head>
<body class="${wide ? 'wide' : 'narrow'}"><header><a class="brand" href="/account">${MARK}Gamekeeper</a></header><main><h1>${title}</h1>${body}</main></body></html>
`.markup;
}

/** Returns the headers of a page. Only `page` writes elements, so no text on a page can look like its scripts. */
export function headersOf(markup: string): Record<string, string> {
  const usesScript = [SCRIPTS, LIVE].some((scripts) => markup.includes(scripts.markup));
  return usesScript ? SCRIPT_HEADERS : PAGE_HEADERS;
}

/** A problem at the top of a form, which screen readers announce. */
export function problemNote(problem: string | undefined): Html {
  return problem === undefined ? html`` : html`<p class="problem" role="alert">${problem}</p>`;
}

/** A time for people, in UTC because the server does not know where they are. */
export function timeOf(date: Date): Html {
  const iso = date.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

import { type Html, html } from '../../../shared/node/html.ts';

/**
 * The pages run no script and are never framed. `form-action` is left out: Chrome applies it to redirects as well, and a sign-in ends with one to
 * the program's own address (https://github.com/w3c/webappsec-csp/issues/8). oidc-provider adds the hash of its script to `script-src`. With
 * `no-referrer` browsers would send no Origin with our own forms.
 */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
} as const;

export interface PageOptions {
  title: string;
  /** A wide page for lists; otherwise a narrow one for a form. */
  wide?: boolean;
  body: Html;
}

export function page({ title, wide = false, body }: PageOptions): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Gamekeeper</title><link rel="stylesheet" href="/style.css"></head>
<body class="${wide ? 'wide' : 'narrow'}"><main><h1>${title}</h1>${body}</main></body></html>
`.markup;
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

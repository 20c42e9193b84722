import { type Html, html } from '../../shared/node/html.ts';

/** The pages run no script, load nothing and are never framed: they share their origin with the session cookie. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
} as const;

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --accent: #3f9d52; }
body { font: 14px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } a { color: var(--accent); }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
pre { padding: .75rem; border: 1px solid var(--line); border-radius: 6px; overflow: auto; }
section, details { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; margin: .5rem 0; }
summary { cursor: pointer; } .method { display: inline-block; min-width: 4.5rem; font-weight: 600; color: var(--accent); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-bottom: 1px solid var(--line); }
`;

export function htmlPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${{ markup: STYLE }}</style></head>
<body>${body}</body></html>
`.markup;
}

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { PANEL_POLICY } from '../../http/panel-policy.ts';
import { keepForClient } from '../relay/relay-headers.ts';

/** What a daemon could use against its visitors or their other pages, and what the proxy sets itself. */
const NOT_FOR_BROWSER = new Set([
  'content-security-policy-report-only',
  'cross-origin-embedder-policy',
  'document-policy',
  'permissions-policy',
  'proxy-authenticate',
  'sourcemap',
  'speculation-rules',
  'timing-allow-origin',
  'www-authenticate',
]);

/** For every answer on the host of a daemon: nobody frames it, embeds it or shares a window with it, and its cookies stay its own. */
const ISOLATED = {
  'content-security-policy': PANEL_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Returns the headers of a daemon's response for a browser on the daemon's host. A redirect leads only to the same host. */
export function headersForPanel(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { location, ...kept } = Object.fromEntries(
    Object.entries(keepForClient(headers)).filter(
      ([name]) => !NOT_FOR_BROWSER.has(name) && !name.startsWith('access-control-'),
    ),
  );
  return { ...kept, ...(isOwnPath(location) && { location }), ...ISOLATED };
}

/** Browsers take `//` and `/\` for another host, and drop tabs and line breaks (WHATWG URL). */
function isOwnPath(location: unknown): location is string {
  return typeof location === 'string' && /^\/(?![/\\])[!-[\]-~]*$/.test(location);
}

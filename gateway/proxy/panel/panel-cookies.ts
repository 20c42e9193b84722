import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSessionCookie } from '../accounts/sessions/session-cookie.ts';

const NONCE_BYTES = 32;
/** As long as a person may take to sign in. */
const ENTRY_S = 30 * 60;
/** Pages of the panel, with their query. Everything else begins at the front page. */
const PANEL_PATH = /^\/ui\/[\w./~%=&?+-]{0,500}$/;

/** The cookies that a browser keeps for the host of a daemon. The daemon gets none of them. */
export interface PanelCookies {
  /** The value of the session's cookie. */
  session(request: IncomingMessage): string | undefined;
  setSession(response: ServerResponse, value: string): void;
  clearSession(response: ServerResponse): void;
  /** What the browser has set out with to the proxy. */
  entry(request: IncomingMessage): { nonce: string; path: string };
  /** Has the browser keep a new nonce, and the page that it will come back to. Returns the nonce. */
  beginEntry(request: IncomingMessage, response: ServerResponse): string;
}

export function createPanelCookies(issuer: string): PanelCookies {
  const session = createSessionCookie(issuer, 'gamekeeper-panel');
  const entry = createSessionCookie(issuer, 'gamekeeper-panel-entry');
  const into = (response: ServerResponse) => ({
    header: (name: string, value: string) => response.appendHeader(name, value),
  });
  return {
    session: ({ headers }) => session.read(headers),
    setSession(response, value) {
      session.set(into(response), value);
      entry.clear(into(response));
    },
    clearSession: (response) => session.clear(into(response)),
    entry({ headers }) {
      const [nonce = '', encoded = ''] = entry.read(headers)?.split('.', 2) ?? [];
      return { nonce, path: ownPath(Buffer.from(encoded, 'base64url').toString()) };
    },
    beginEntry({ url = '' }, response) {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const path = Buffer.from(ownPath(url)).toString('base64url');
      entry.set(into(response), `${nonce}.${path}`, { seconds: ENTRY_S });
      return nonce;
    },
  };
}

function ownPath(path: string): string {
  return PANEL_PATH.test(path) ? path : '/ui/';
}

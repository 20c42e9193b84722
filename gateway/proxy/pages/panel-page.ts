import { html } from '../../../shared/node/html.ts';
import { page, problemNote, timeOf } from './page.ts';
import { linkButton } from './rows.ts';

/** Why there are no panels. */
export const PANEL_OFF =
  'The panel cannot be opened through this proxy: it has no domain for it. Whoever runs the proxy can set GAMEKEEPER_PROXY_DAEMON_DOMAIN to one with a wildcard.';

export interface PanelPage {
  daemon: { name: string; lastSeen?: Date };
  /** Of its panel. */
  origin: string;
  isConnected: boolean;
  /** The browser came back from there without a session. */
  hasFailed: boolean;
}

/** Leads to a computer's panel, or says that the computer is off. */
export function panelPage({ daemon: { name, lastSeen }, origin, isConnected, hasFailed }: PanelPage): string {
  const seen =
    lastSeen === undefined ? html`It has not been connected yet.` : html`It was last seen ${timeOf(lastSeen)}.`;
  const state = isConnected
    ? html`<p>This computer is connected.</p>`
    : html`<p role="status">This computer is not connected. ${seen}</p><p>Check that it is on, that Gamekeeper runs there, and that it has an internet connection.</p>`;
  return page({
    title: name,
    body: html`${problemNote(hasFailed ? 'That took too long, or this browser blocks cookies. Open the panel again.' : undefined)}${state}
<div class="buttons">${linkButton(`${origin}/`, isConnected ? 'Open panel' : 'Try again')}${linkButton('/account', 'Your account')}</div>`,
  });
}

import { type Html, html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../../pages/page.ts';
import { button, list } from '../../pages/rows.ts';
import type { AlertTarget } from '../alerts/targets.ts';

export interface AlertsPageOptions {
  targets: readonly AlertTarget[];
  /** Just added: its secret is shown once. */
  added?: AlertTarget;
  problem?: string;
}

const NAMES = { webhook: 'Webhook', discord: 'Discord' } as const;

/** Where alerts are sent. */
export function alertsPage({ targets, added, problem }: AlertsPageOptions): string {
  return page({
    title: 'Alerts',
    wide: true,
    body: html`<p><a href="/fleet">Overview</a></p>${problemNote(problem)}${added?.kind === 'webhook' ? secretNote(added) : ''}
<p>You get a message when a computer that reports is offline for 5 minutes, when a server crashes, when a running server has had no good backup for 26 hours, and when a disk is nearly full; and another one when it is over.</p>
<h2>Addresses</h2>${list(targets.map(targetRow), html`<p>None yet: nobody is told.</p>`)}
<h2>Add an address</h2><form method="post" action="/fleet/alerts"><label>Kind<select name="kind"><option value="discord">Discord</option><option value="webhook">Webhook</option></select></label>
<label>Address<input name="url" type="url" required maxlength="2048" placeholder="https://discord.com/api/webhooks/&hellip;"></label><p class="dim">In Discord: Server settings, Integrations, Webhooks, Copy webhook URL.</p><button>Add</button></form>`,
  });
}

function secretNote({ secret }: AlertTarget): Html {
  return html`<div class="note" role="status"><p>Messages are signed (Standard Webhooks). Your program checks them with this secret, which is shown only now:</p><p><code>${secret}</code></p></div>`;
}

function targetRow({ id, kind, url, isPaused, result }: AlertTarget): Html {
  const host = new URL(url).host;
  const state = isPaused ? 'Paused after 5 failures. Test it to go on. ' : '';
  return html`<li><div><p><strong>${NAMES[kind]}</strong> at ${host}</p><p class="dim">${state}${result || 'Nothing sent yet'}</p></div>
<div class="buttons">${button(`/fleet/alerts/${id}/test`, 'Test', 'plain', host)}${button(`/fleet/alerts/${id}/remove`, 'Remove', 'danger', host)}</div></li>`;
}

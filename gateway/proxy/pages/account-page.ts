import { type Html, html } from '../../../shared/node/html.ts';
import type { SessionInfo } from '../accounts/sessions.ts';
import type { LinkedDaemon } from '../daemons/directory.ts';
import { page, timeOf } from './page.ts';

export interface ProgramAccess {
  grantId: string;
  program: string;
  /** Names of computers. */
  computers: string[];
  scopes: string[];
  grantedAt: Date;
}

export interface AccountPage {
  account: string;
  issuer: string;
  daemons: readonly LinkedDaemon[];
  programs: readonly ProgramAccess[];
  sessions: readonly SessionInfo[];
  /** The id of the session that shows the page. */
  current: string;
}

/** Everything that belongs to an account, each with a button that ends it. */
export function accountPage({ account, issuer, daemons, programs, sessions, current }: AccountPage): string {
  return page({
    title: 'Your account',
    wide: true,
    body: html`<div class="bar"><p>Signed in as <strong>${account}</strong></p>${button('/sign-out', 'Sign out', 'plain')}</div>
<h2>Computers</h2>${list(daemons.map(daemonRow), html`<p>None yet. On the computer with your servers, run <code>gamekeeper link ${issuer}</code>.</p>`)}
<h2>Programs with access</h2>${list(programs.map(programRow), html`<p>None.</p>`)}
<h2>Signed-in browsers</h2>${list(
      sessions.map((session) => sessionRow(session, session.id === current)),
      html``,
    )}
<h2>Signing in</h2><p><a href="/account/password">Change your password</a></p><p><a href="/account/second-factor">Second factor</a></p>`,
  });
}

function daemonRow({ daemonId, name, scopes, linkedAt, lastSeen }: LinkedDaemon): Html {
  const seen = lastSeen === undefined ? html`not connected yet` : html`last seen ${timeOf(lastSeen)}`;
  return row(
    html`<p><strong>${name}</strong></p><p class="dim">${seen} · linked ${timeOf(linkedAt)} · allows at most ${scopes.join(', ')}</p>`,
    button(`/account/daemons/${daemonId}/remove`, 'Remove', 'danger', name),
  );
}

function programRow({ grantId, program, computers, scopes, grantedAt }: ProgramAccess): Html {
  return row(
    html`<p><strong>${program}</strong> on ${computers.join(', ')}</p><p class="dim">${scopes.join(', ')} · since ${timeOf(grantedAt)}</p>`,
    button(`/account/grants/${grantId}/revoke`, 'Take back', 'danger', program),
  );
}

function sessionRow({ id, userAgent, address, seenAt }: SessionInfo, isCurrent: boolean): Html {
  return row(
    html`<p><strong>${isCurrent ? 'This browser' : browserOf(userAgent)}</strong></p><p class="dim">from ${address} · last used ${timeOf(seenAt)}</p>`,
    isCurrent ? html`` : button(`/account/sessions/${id}/end`, 'Sign out', 'plain', browserOf(userAgent)),
  );
}

function list(rows: readonly Html[], empty: Html): Html {
  return rows.length === 0 ? empty : html`<ul class="rows">${rows}</ul>`;
}

function row(text: Html, action: Html): Html {
  return html`<li><div>${text}</div>${action}</li>`;
}

/** `about`: what it acts on, for screen readers. */
function button(action: string, label: string, look: 'plain' | 'danger', about?: string): Html {
  const name = about === undefined ? '' : html` aria-label="${`${label}: ${about}`}"`;
  return html`<form method="post" action="${action}"><button class="${look}"${name}>${label}</button></form>`;
}

/** A name that people recognise. Every browser claims to be several others, so the order matters. */
function browserOf(userAgent: string): string {
  const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
  const found = names.find((name) => userAgent.includes(`${name}/`));
  if (found === 'Edg') return 'Edge';
  return found === 'OPR' ? 'Opera' : (found ?? 'Another browser');
}

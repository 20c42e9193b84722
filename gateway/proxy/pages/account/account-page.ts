import { type Html, html } from '../../../../shared/node/html.ts';
import type { AuditEntry } from '../../accounts/audit.ts';
import type { SessionInfo } from '../../accounts/sessions/sessions.ts';
import type { LinkedDaemon } from '../../daemons/directory.ts';
import type { DaemonDomain } from '../../panel/daemon-domain.ts';
import { shortScopes } from '../consent/scope-words.ts';
import { page, timeOf } from '../page.ts';
import { PANEL_OFF } from '../panel-page.ts';
import { button, linkButton, list, row } from '../rows.ts';
import { activityList } from './activity-list.ts';
import { browserOf } from './browser-name.ts';
import { type SigningIn, signingInSection } from './signing-in-section.ts';

export interface ProgramAccess {
  grantId: string;
  program: string;
  /** Names of computers. */
  computers: string[];
  scopes: string[];
  grantedAt: Date;
}

export interface AccountPage {
  account: { name: string; isAdmin: boolean };
  issuer: string;
  daemons: readonly LinkedDaemon[];
  /** Absent: there are no panels. */
  panelDomain: DaemonDomain | undefined;
  programs: readonly ProgramAccess[];
  sessions: readonly SessionInfo[];
  /** The id of the session that shows the page. */
  current: string;
  signingIn: SigningIn;
  activity: readonly AuditEntry[];
}

/** Everything that belongs to an account, each with a button that ends it. */
export function accountPage(options: AccountPage): string {
  const { account, issuer, daemons, panelDomain, programs, sessions, current, signingIn, activity } = options;
  return page({
    title: 'Your account',
    wide: true,
    body: html`<div class="bar"><p>Signed in as <strong>${account.name}</strong></p><div class="buttons">${linkButton('/fleet', 'Overview')}${account.isAdmin ? linkButton('/admin', 'Manage accounts') : ''}${button('/sign-out', 'Sign out', 'plain')}</div></div>
<h2>Computers</h2>${list(
      daemons.map((daemon) => daemonRow(daemon, panelDomain)),
      html`<p>None yet. On the computer with your servers, run <code>gamekeeper link ${issuer}</code>.</p>`,
    )}${daemons.length > 0 && panelDomain === undefined ? html`<p class="dim">${PANEL_OFF}</p>` : ''}
<h2>Programs with access</h2>${list(programs.map(programRow), html`<p>None. Programs that you allow appear here.</p>`)}<p><a href="/account/programs">Programs that you have registered</a></p>
${signingInSection(signingIn)}
<h2>Signed-in browsers</h2>${list(
      sessions.map((session) => sessionRow(session, session.id === current)),
      html``,
    )}
<h2>Recent activity</h2>${activityList(activity)}
<h2>Your account</h2>${list(
      [
        row(
          html`<p><strong>Name</strong></p><p class="dim">${account.name}</p>`,
          linkButton('/account/name', 'Change', 'plain', 'Name'),
        ),
        row(
          html`<p><strong>Delete account</strong></p><p class="dim">Your game servers keep running.</p>`,
          linkButton('/account/delete', 'Delete', 'danger', 'Your account'),
        ),
      ],
      html``,
    )}`,
  });
}

function daemonRow(daemon: LinkedDaemon, panelDomain: DaemonDomain | undefined): Html {
  const { daemonId, name, scopes, linkedAt, lastSeen } = daemon;
  const seen = lastSeen === undefined ? html`not connected yet` : html`last seen ${timeOf(lastSeen)}`;
  return row(
    html`<p><strong>${name}</strong></p><p class="dim">${seen} &middot; linked ${timeOf(linkedAt)} &middot; can allow: ${shortScopes(scopes)}</p>`,
    html`<div class="buttons">${panelDomain === undefined ? '' : linkButton(`${panelDomain.originOf(daemon)}/`, 'Open panel', 'plain', name)}${button(`/account/daemons/${daemonId}/remove`, 'Remove', 'danger', name)}</div>`,
  );
}

function programRow({ grantId, program, computers, scopes, grantedAt }: ProgramAccess): Html {
  return row(
    html`<p><strong>${program}</strong> on ${computers.join(', ')}</p><p class="dim">allowed: ${shortScopes(scopes)} &middot; since ${timeOf(grantedAt)}</p>`,
    button(`/account/grants/${grantId}/revoke`, 'Remove access', 'danger', program),
  );
}

function sessionRow({ id, userAgent, address, seenAt }: SessionInfo, isCurrent: boolean): Html {
  return row(
    html`<p><strong>${isCurrent ? 'This browser' : browserOf(userAgent)}</strong></p><p class="dim">from ${address} &middot; last used ${timeOf(seenAt)}</p>`,
    isCurrent ? html`` : button(`/account/sessions/${id}/end`, 'Sign out', 'plain', browserOf(userAgent)),
  );
}

import { type Html, html } from '../../../../shared/node/html.ts';
import type { AccountSummary } from '../../accounts/administration/administration.ts';
import type { AuditEntry } from '../../accounts/audit.ts';
import { activityList } from '../account/activity-list.ts';
import { page, timeOf } from '../page.ts';
import { linkButton } from '../rows.ts';
import { countOf } from './accounts-page.ts';

const BACK = html`<p><a href="/admin">Back to all accounts</a></p>`;

/** What an administrator can do to the account of somebody else. */
export function managedAccountPage(account: AccountSummary, activity: readonly AuditEntry[]): string {
  const { id, name, isAdmin, isDisabled, daemons, seenAt, createdAt } = account;
  const path = `/admin/accounts/${id}`;
  const seen = seenAt === undefined ? html`not signed in` : html`last seen ${timeOf(seenAt)}`;
  return page({
    title: name,
    wide: true,
    body: html`${BACK}<p class="dim">${isAdmin ? 'Administrator · ' : ''}${countOf(daemons)} &middot; ${seen} &middot; since ${timeOf(createdAt)}</p>
<h2>Password</h2>
<form method="post" action="${path}/reset-password">
<p>If they cannot sign in: this creates a new password for you to give them, and signs them out everywhere.</p>
<label class="choice"><input type="checkbox" name="removeSecondFactor" value="yes"> Also remove their authenticator app, if they have lost it</label>
<div class="buttons"><button class="plain">Reset password</button></div>
</form>
${isDisabled ? disabledPart(path) : enabledPart(path)}
<h2>Delete</h2><p>Deletes the account with everything that belongs to it.</p>${linkButton(`${path}/remove`, 'Delete account', 'danger')}
<h2>Recent activity</h2>${activityList(activity)}`,
  });
}

function enabledPart(path: string): Html {
  return html`<h2>Disable</h2><p>Signs them out and cuts off their computers and programs until you enable the account again. Nothing is deleted.</p>
<form method="post" action="${path}/disable"><button class="danger">Disable account</button></form>`;
}

function disabledPart(path: string): Html {
  return html`<h2>Disabled</h2><p>They cannot sign in, and their computers and programs are cut off.</p>
<form method="post" action="${path}/enable"><button class="plain">Enable account</button></form>`;
}

/** Shows a password that was made for somebody. */
export function newPasswordPage({ id, name }: AccountSummary, password: string): string {
  return page({
    title: `New password for ${name}`,
    body: html`<p>Give it to ${name} and nobody else. It is not shown again.</p><p class="note"><code>${password}</code></p>
<p>${name} was signed out everywhere. They can change the password once they have signed in.</p>
<p><a href="/admin/accounts/${id}">Back to ${name}</a></p>`,
  });
}

import { type Html, html } from '../../../../shared/node/html.ts';
import type { AccountSummary } from '../../accounts/administration/administration.ts';
import type { Invitation } from '../../accounts/invitations/invitations.ts';
import { page, timeOf } from '../page.ts';
import { button, linkButton, list, row } from '../rows.ts';

export interface AccountsPage {
  /** Those that were looked for. */
  accounts: readonly AccountSummary[];
  /** How many there are; more than are shown. */
  total: number;
  search: string;
  invitations: readonly Invitation[];
}

/** Everything that administrators manage: invitations and accounts. */
export function accountsPage({ accounts, total, search, invitations }: AccountsPage): string {
  const more =
    total > accounts.length
      ? html`<p class="dim">Showing ${accounts.length} of ${total}. Search to find the others.</p>`
      : '';
  return page({
    title: 'Manage accounts',
    wide: true,
    body: html`<p><a href="/account">Back to your account</a></p>
<h2>Invite somebody</h2>
<form method="post" action="/admin/invitations">
<label>Who is it for? (only administrators see this)<input name="note" maxlength="64" autocomplete="off"></label>
<label>Valid for<select name="days"><option value="1">1 day</option><option value="7" selected>7 days</option><option value="30">30 days</option></select></label>
<label class="choice"><input type="checkbox" name="isAdmin" value="yes"> May manage accounts, like you</label>
<div class="buttons"><button>Create invitation</button></div>
</form>
<h2>Open invitations</h2>${list(invitations.map(invitationRow), html`<p>None.</p>`)}
<h2>Accounts</h2>
<form class="search" method="get" action="/admin"><label>Search by name<input type="search" name="search" value="${search}" autocomplete="off"></label><button class="plain">Search</button></form>
${list(accounts.map(accountRow), html`<p>No account matches.</p>`)}${more}`,
  });
}

function invitationRow({ id, note, isAdmin, invitedBy, expiresAt }: Invitation): Html {
  const name = note === '' ? `Invitation ${id}` : note;
  return row(
    html`<p><strong>${name}</strong>${isAdmin ? ' · administrator' : ''}</p><p class="dim">by ${invitedBy} &middot; until ${timeOf(expiresAt)}</p>`,
    button(`/admin/invitations/${id}/revoke`, 'Revoke', 'danger', name),
  );
}

function accountRow({ id, name, isAdmin, isDisabled, daemons, seenAt, createdAt }: AccountSummary): Html {
  const marks = [isAdmin && 'administrator', isDisabled && 'disabled'].filter(Boolean).join(' · ');
  const seen = seenAt === undefined ? html`not signed in` : html`last seen ${timeOf(seenAt)}`;
  return row(
    html`<p><strong>${name}</strong>${marks === '' ? '' : ` · ${marks}`}</p>
<p class="dim">${countOf(daemons)} &middot; ${seen} &middot; since ${timeOf(createdAt)}</p>`,
    linkButton(`/admin/accounts/${id}`, 'Manage', 'plain', name),
  );
}

export function countOf(daemons: number): string {
  return `${daemons} ${daemons === 1 ? 'computer' : 'computers'}`;
}

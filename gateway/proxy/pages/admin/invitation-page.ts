import { html } from '../../../../shared/node/html.ts';
import type { Invitation } from '../../accounts/invitations/invitations.ts';
import { page, timeOf } from '../page.ts';

/** Shows the link of a new invitation. */
export function invitationPage({ note, isAdmin, expiresAt }: Invitation, link: string): string {
  return page({
    title: 'Send this link',
    body: html`<p>It creates one account${isAdmin ? ' that may manage all others' : ''}${note === '' ? '' : `, for ${note}`}. It works once, until ${timeOf(expiresAt)}, and is not shown again.</p>
<label>Link<input value="${link}" readonly></label>
<p><a href="/admin">Back to all accounts</a></p>`,
  });
}

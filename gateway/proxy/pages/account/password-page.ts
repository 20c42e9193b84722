import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';

export interface PasswordForm {
  /** Lets password managers update the right entry. */
  account: string;
  hasPassword: boolean;
  problem?: string | undefined;
}

export function passwordPage({ account, hasPassword, problem }: PasswordForm): string {
  const present = html`<label>Current password<input name="password" type="password" autocomplete="current-password" required autofocus></label>`;
  return page({
    title: hasPassword ? 'Change your password' : 'Set a password',
    body: html`${problemNote(problem)}<form method="post" action="/account/password">
<input type="hidden" name="username" value="${account}" autocomplete="username">
${hasPassword ? present : ''}<label>New password<input name="newPassword" type="password" autocomplete="new-password" minlength="8" maxlength="256" required></label>
<p class="dim">At least 8 characters. Your other browsers will be signed out.</p>
<div class="buttons"><button>${hasPassword ? 'Change password' : 'Set password'}</button><a class="button plain" href="/account">Cancel</a></div>
</form>`,
  });
}

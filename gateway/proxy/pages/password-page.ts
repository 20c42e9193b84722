import { html } from '../../../shared/node/html.ts';
import { page, problemNote } from './page.ts';

/** `account`: lets password managers update the right entry. */
export function passwordPage(account: string, problem?: string): string {
  return page({
    title: 'Change your password',
    body: html`${problemNote(problem)}<form method="post" action="/account/password">
<input type="hidden" name="username" value="${account}" autocomplete="username">
<label>Present password<input name="password" type="password" autocomplete="current-password" required autofocus></label>
<label>New password<input name="newPassword" type="password" autocomplete="new-password" required></label>
<p class="dim">Other browsers will be signed out.</p>
<div class="buttons"><button>Change password</button> <a href="/account">Cancel</a></div>
</form>`,
  });
}

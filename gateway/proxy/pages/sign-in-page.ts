import { html } from '../../../shared/node/html.ts';
import { page, problemNote } from './page.ts';
import { passkeySignIn } from './passkey-form.ts';

export interface SignInForm {
  action: string;
  /** The name that was entered before. */
  name?: string | undefined;
  problem?: string | undefined;
  /** The program that the person will go on to. */
  program?: string | undefined;
}

export function signInPage({ action, name = '', problem, program }: SignInForm): string {
  return page({
    title: 'Sign in',
    usesPasskeys: true,
    body: html`${program === undefined ? '' : html`<p>to go on to <strong>${program}</strong></p>`}${problemNote(problem)}
<form method="post" action="${action}">
<label>Name<input name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<div class="buttons"><button class="block">Sign in</button></div>
</form>
<div data-needs-passkeys hidden><p class="or">or</p>${passkeySignIn(action)}</div>`,
  });
}

import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';
import { passkeySignIn } from './passkey-form.ts';

export interface ConfirmForm {
  action: string;
  /** Lets password managers choose the right entry. */
  account: string;
  hasPassword: boolean;
  /** A code is asked for as well. */
  hasSecondFactor: boolean;
  hasPasskeys: boolean;
  /** Those that prove who it is, if there is no other way. */
  providers: readonly { id: string; name: string }[];
  /** Where to go then. */
  to: string;
  problem?: string | undefined;
}

/** Asks somebody who is signed in to prove who they are, before a sensitive change. */
export function confirmPage(form: ConfirmForm): string {
  const { action, account, hasPassword, hasSecondFactor, hasPasskeys, providers, to, problem } = form;
  const code = html`<label>Code from your authenticator app, or a recovery code<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required></label>`;
  const password = html`<form method="post" action="${action}">
<input type="hidden" name="username" value="${account}" autocomplete="username">
<label>Your password<input name="password" type="password" autocomplete="current-password" required autofocus></label>${hasSecondFactor ? code : ''}
<div class="buttons"><button>Continue</button></div>
</form>`;
  return page({
    title: 'Is it you?',
    usesPasskeys: hasPasskeys,
    body: html`<p>This change is important, so please prove that it is you. We ask again only after ten minutes.</p>
${problemNote(problem)}${hasPassword ? password : ''}${hasPasskeys ? passkeySignIn(action, hasPassword) : ''}
<div class="stack">${providers.map(({ id, name }) => html`<form method="post" action="/account/confirm/${id}?to=${to}"><button class="block">Continue with ${name}</button></form>`)}</div>
<p><a href="/account">Cancel</a></p>`,
  });
}

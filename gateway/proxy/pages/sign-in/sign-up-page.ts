import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';
import { passkeyButton } from './passkey-form.ts';
import { providerButtons } from './sign-in-page.ts';

export interface SignUpForm {
  /** Of the invitation. */
  token: string;
  name?: string;
  problem?: string;
  /** The account that this browser is signed in to. */
  signedInAs?: string | undefined;
  providers: readonly { id: string; name: string }[];
}

export function signUpPage({ token, name = '', problem, signedInAs, providers }: SignUpForm): string {
  const action = `/invite/${token}`;
  const present =
    signedInAs === undefined
      ? ''
      : html`<p class="note">You are signed in as <strong>${signedInAs}</strong>. Creating a new account signs you out of that one.</p>`;
  return page({
    title: 'Create your account',
    usesPasskeys: true,
    body: html`<p>You are invited! With an account here, you can reach your game servers from anywhere.</p>${present}${problemNote(problem)}
<form method="post" action="${action}">
<label>Name<input name="name" value="${name}" maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<p class="dim">You sign in with it. Letters, digits, dots, dashes, underscores and @.</p>
<label>Password<input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="256" required></label>
<div class="buttons"><button class="block">Create account</button></div>
<div data-needs-passkeys hidden><p class="or">or without a password</p></div>
${passkeyButton({ label: 'Use a passkey', options: `${action}/options`, ceremony: 'create', isPlain: true })}
<p class="dim" data-needs-passkeys hidden>That is your fingerprint, face or the PIN of your device.</p>
</form>
${providers.length === 0 ? '' : html`<p class="or">or</p><div class="stack">${providerButtons(providers, { invitation: token })}</div>`}`,
  });
}

import { html } from '../../../shared/node/html.ts';
import { page, problemNote } from './page.ts';

const TITLE = 'Second factor';
const ACTION = '/account/second-factor';
const BACK = html`<p><a href="/account">Back to your account</a></p>`;

/** Asks for what is needed to set it up or to remove it. */
export function secondFactorPage({ isOn, problem }: { isOn: boolean; problem?: string | undefined }): string {
  const about = isOn
    ? 'When you sign in, you are asked for a code from your authenticator app.'
    : 'A code from an app on your phone, asked for at every sign-in. Whoever finds out your password still cannot get in.';
  const code = html`<label>Code, or a recovery code<input name="code" autocomplete="one-time-code" required></label>`;
  return page({
    title: TITLE,
    body: html`<p>${about}</p>${problemNote(problem)}
<form method="post" action="${isOn ? `${ACTION}/remove` : ACTION}">
<label>Your password<input name="password" type="password" autocomplete="current-password" required autofocus></label>${isOn ? code : ''}
<div class="buttons"><button${isOn ? html` class="danger"` : ''}>${isOn ? 'Remove it' : 'Set it up'}</button></div>
</form>${BACK}`,
  });
}

export interface NewSecret {
  /** Base32. */
  secret: string;
  /** `otpauth://...` */
  uri: string;
  problem?: string | undefined;
}

/** Shows the secret for the app, and asks for its first code. */
export function newSecretPage({ secret, uri, problem }: NewSecret): string {
  const groups = secret.replace(/(.{4})(?=.)/g, '$1 ');
  return page({
    title: TITLE,
    body: html`<p>Add an account in your authenticator app with this key, or <a href="${uri}">open the app</a> if it is on this device.</p>
<p><code>${groups}</code></p>${problemNote(problem)}
<form method="post" action="${ACTION}/confirm">
<label>The code that the app shows<input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<div class="buttons"><button>Turn it on</button></div>
</form>${BACK}`,
  });
}

export function recoveryCodesPage(codes: readonly string[]): string {
  return page({
    title: 'Your recovery codes',
    body: html`<p>The second factor is on. Keep these codes in a safe place: each lets you in once if you lose your phone. They are shown only now.</p>
<ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>${BACK}`,
  });
}

import { renderSVG } from 'uqr';
import { type Html, html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';

const TITLE = 'Authenticator app';
const ACTION = '/account/second-factor';
const BACK = html`<p><a href="/account">Back to your account</a></p>`;

export interface SecondFactorPage {
  hasPassword: boolean;
  isOn: boolean;
  problem?: string | undefined;
}

/** Asks for what is needed to set it up or to remove it. */
export function secondFactorPage({ hasPassword, isOn, problem }: SecondFactorPage): string {
  if (!hasPassword) return noPasswordPage();
  const about = isOn
    ? 'It is on. When you sign in with your password, you are also asked for a code from the app.'
    : 'An app on your phone shows a new code every 30 seconds. When you sign in with your password, you are asked for the code too, so a stolen password is not enough.';
  const code = html`<label>Code from the app, or a recovery code<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required></label>`;
  return page({
    title: TITLE,
    body: html`<p>${about}</p>${problemNote(problem)}
<form method="post" action="${isOn ? `${ACTION}/remove` : ACTION}">
<label>Your password<input name="password" type="password" autocomplete="current-password" required autofocus></label>${isOn ? code : ''}
<div class="buttons"><button${isOn ? html` class="danger"` : ''}>${isOn ? 'Turn it off' : 'Set up'}</button><a class="button plain" href="/account">Cancel</a></div>
</form>`,
  });
}

function noPasswordPage(): string {
  return page({
    title: TITLE,
    body: html`<p>An authenticator app protects a password, and you sign in without one.</p>${BACK}`,
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
  // Dark on white in both schemes: not every app reads an inverted code.
  const qrCode: Html = { markup: renderSVG(uri, { border: 0 }) };
  return page({
    title: TITLE,
    body: html`<p>Scan this code with your authenticator app.</p><div class="qr" role="img" aria-label="QR code for your authenticator app">${qrCode}</div>
<p class="dim">No camera? <a href="${uri}">Open the app</a> if it is on this device, or enter this key in it: <code>${groups}</code></p>${problemNote(problem)}
<form method="post" action="${ACTION}/confirm">
<label>The code that the app shows<input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<div class="buttons"><button>Turn it on</button><a class="button plain" href="/account">Cancel</a></div>
</form>`,
  });
}

export function recoveryCodesPage(codes: readonly string[]): string {
  return page({
    title: 'Your recovery codes',
    body: html`<p>The app is set up. If you ever lose your phone, each of these codes lets you in once. Keep them in a safe place, such as your password
manager. They are not shown again.</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>${BACK}`,
  });
}

import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';
import { passkeyButton } from '../sign-in/passkey-form.ts';

export interface PasskeyForm {
  /** Lets password managers show whose passkey it is. */
  account: string;
  /** Suggested. */
  name: string;
  problem?: string | undefined;
}

export function passkeyPage({ account, name, problem }: PasskeyForm): string {
  return page({
    title: 'Add a passkey',
    usesPasskeys: true,
    body: html`<p>With a passkey you sign in by fingerprint, face or the PIN of your device, without a password or code. It stays on your device or in your
password manager, so nobody can trick you out of it.</p>${problemNote(problem)}
<form method="post" action="/account/passkeys">
<input type="hidden" name="username" value="${account}" autocomplete="username">
<label>Name<input name="name" value="${name}" maxlength="64" autocomplete="off" required></label>
<p class="dim">To tell your passkeys apart, such as &ldquo;Phone&rdquo; or &ldquo;Blue key&rdquo;.</p>
${passkeyButton({ label: 'Create passkey', options: '/account/passkeys/options', ceremony: 'create' })}
<p class="problem" data-lacks-passkeys hidden>This browser does not support passkeys. Try a newer one, or your phone.</p>
<noscript><p class="problem">Passkeys need JavaScript, which is turned off in this browser.</p></noscript>
</form><p><a href="/account">Cancel</a></p>`,
  });
}

import { type Html, html } from '../../../../shared/node/html.ts';

export interface PasskeyButton {
  label: string;
  /** Where the script gets the options. */
  options: string;
  ceremony: 'create' | 'get';
  isPlain?: boolean;
}

/** A button for a form, with the field for its result. Hidden until the script finds that the browser has passkeys. */
export function passkeyButton({ label, options, ceremony, isPlain = false }: PasskeyButton): Html {
  return html`<div data-needs-passkeys hidden><p class="problem" role="alert" data-problem hidden></p><input type="hidden" name="passkey">
<button type="button" class="${isPlain ? 'plain block' : 'block'}" data-passkey="${options}" data-ceremony="${ceremony}">${label}</button></div>`;
}

/** A form that only asks for a passkey. */
export function passkeySignIn(action: string, isPlain = true): Html {
  const button = passkeyButton({ label: 'Use a passkey', options: '/passkeys/options', ceremony: 'get', isPlain });
  return html`<form method="post" action="${action}">${button}</form>`;
}

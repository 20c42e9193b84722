import { type Html, html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';
import { passkeySignIn } from './passkey-form.ts';

export interface SignInForm {
  action: string;
  /** The name that was entered before. */
  name?: string | undefined;
  problem?: string | undefined;
  /** The program that the person will go on to. */
  program?: string;
  interaction?: string;
  panel?: string;
  providers: readonly { id: string; name: string }[];
}

export function signInPage(form: SignInForm): string {
  const { action, name = '', problem, program, interaction = '', panel = '', providers } = form;
  const others = html`<div class="stack">${passkeySignIn(action)}${providerButtons(providers, { interaction, panel })}</div>`;
  return page({
    title: 'Sign in',
    usesPasskeys: true,
    body: html`${program === undefined ? '' : html`<p>to continue to <strong>${program}</strong></p>`}${problemNote(problem)}
<form method="post" action="${action}">
<label>Name<input name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<div class="buttons"><button class="block">Sign in</button></div>
</form>
${providers.length === 0 ? html`<div data-needs-passkeys hidden><p class="or">or</p></div>` : html`<p class="or">or</p>`}${others}`,
  });
}

/** Buttons that lead to the providers. `fields`: what the person will go on to. */
export function providerButtons(
  providers: readonly { id: string; name: string }[],
  fields: Record<string, string>,
): Html[] {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return providers.map(
    ({ id, name }) =>
      html`<form method="post" action="/providers/${id}/sign-in">${hidden}<button class="plain block">Continue with ${name}</button></form>`,
  );
}

import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';

export interface ChooseNameForm {
  /** Shows who the person is at the provider. */
  proof: string;
  name: string;
  provider: string;
  /** The person's name at the provider. */
  label: string;
  problem?: string;
}

/** The last step for somebody who makes an account by a provider. */
export function chooseNamePage({ proof, name, provider, label, problem }: ChooseNameForm): string {
  return page({
    title: 'Create your account',
    body: html`<p>You are <strong>${label}</strong> at ${provider}. Choose a name for your account here.</p>${problemNote(problem)}
<form method="post" action="/providers/sign-up">
<input type="hidden" name="proof" value="${proof}">
<label>Name<input name="name" value="${name}" maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<p class="dim">Letters, digits, dots, dashes, underscores and @.</p>
<div class="buttons"><button class="block">Create account</button></div>
</form>`,
  });
}

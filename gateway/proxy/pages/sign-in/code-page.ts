import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';

export interface CodeForm {
  action: string;
  /** Shows that the password was right. */
  proof: string;
  problem?: string | undefined;
  /** The program that the person will go on to. */
  program?: string | undefined;
}

/** Asks for the second factor. */
export function codePage({ action, proof, problem }: CodeForm): string {
  return page({
    title: 'Enter your code',
    body: html`${problemNote(problem)}<form method="post" action="${action}">
<input type="hidden" name="proof" value="${proof}">
<label>Code from your authenticator app, or a recovery code<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus></label>
<div class="buttons"><button>Sign in</button></div>
</form>`,
  });
}

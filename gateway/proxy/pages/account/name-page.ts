import { html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';

export function namePage(name: string, problem?: string): string {
  return page({
    title: 'Change your name',
    body: html`<p>You sign in with this name. Your computers and programs stay as they are.</p>${problemNote(problem)}
<form method="post" action="/account/name">
<label>New name<input name="name" value="${name}" maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<p class="dim">Letters, digits, dots, dashes, underscores and @.</p>
<div class="buttons"><button>Change name</button><a class="button plain" href="/account">Cancel</a></div>
</form>`,
  });
}

import { html } from '../../../../shared/node/html.ts';
import { messagePage } from '../message-page.ts';
import { page, problemNote } from '../page.ts';

export interface DeviceCodeForm {
  /** Proves that the form comes from this session. */
  xsrf: string;
  /** The code from the address, or the one that was entered. */
  code: string;
  problem: string | undefined;
}

export function deviceCodePage({ xsrf, code, problem }: DeviceCodeForm): string {
  return page({
    title: 'Enter the code',
    body: html`${problemNote(problem)}<p>Only continue if you started this yourself, and the code is the one on your screen.</p>
<form method="post" action="/device">
<input type="hidden" name="xsrf" value="${xsrf}"><input type="hidden" name="confirm" value="yes">
<label>Code<input class="code" name="user_code" value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus></label>
<div class="buttons"><button>Continue</button></div>
</form>`,
  });
}

export function deviceDonePage(): string {
  return messagePage({ title: 'Done', text: 'You can close this page and go back to where you started.' });
}

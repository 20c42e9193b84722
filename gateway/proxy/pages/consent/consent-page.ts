import type { Scope } from '../../../../shared/domain/access/scope.ts';
import { type Html, html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../page.ts';
import { ALLOWED } from './scope-words.ts';

export interface ConsentForm {
  action: string;
  program: string;
  /** Name of the account that has registered the program; undefined: the operator of the proxy has. */
  owner: string | undefined;
  /** Where the person is sent to afterwards. */
  redirectUri: string;
  account: string;
  scopes: readonly Scope[];
  daemons: readonly { daemonId: string; name: string }[];
  /** The daemons that are ticked. */
  picked: readonly string[];
  problem?: string | undefined;
}

/** Asks whether a program may do what it asks for, and on which computers. */
export function consentPage(form: ConsentForm): string {
  const { action, program, account, scopes, daemons, picked, problem } = form;
  const choices = daemons.map(
    ({ daemonId, name }) =>
      html`<label class="choice"><input type="checkbox" name="daemon" value="${daemonId}"${picked.includes(daemonId) ? html` checked` : ''}> ${name}</label>`,
  );
  return page({
    title: `Allow ${program}?`,
    body: html`<p class="dim">You are signed in as <strong>${account}</strong>.</p>${originOf(form)}${problemNote(problem)}
<form method="post" action="${action}">
${scopes.length === 0 ? html`<p>It will see your name, but none of your servers.</p>` : whatAndWhere(scopes, choices)}
<p class="dim">You can change your mind at any time on your account page.</p>
${decision(scopes.length > 0 && choices.length === 0)}
</form>`,
  });
}

/** Anybody with an account can register a program with any name: people must see whose it is, and where it is. */
function originOf({ owner, account, redirectUri }: ConsentForm): Html {
  if (owner === undefined) return html``;
  const { host, protocol } = new URL(redirectUri);
  const whose =
    owner === account
      ? html`You have registered this program yourself.`
      : html`<strong>${owner}</strong> has registered this program, not the operator of this proxy. Allow it only if you know it.`;
  return html`<p>${whose} Afterwards you go to <strong>${host || protocol}</strong>.</p>`;
}

export interface LinkForm {
  action: string;
  account: string;
}

/** Asks whether a computer may be linked with the account. */
export function linkPage({ action, account }: LinkForm): string {
  return page({
    title: 'Link this computer?',
    body: html`<p>The computer that showed you the code will be linked to your account, <strong>${account}</strong>. You, and the programs you allow, can
then reach its servers from anywhere.</p><p>Only allow this if you started it yourself.</p>
<form method="post" action="${action}">${decision(false)}</form>`,
  });
}

function whatAndWhere(scopes: readonly Scope[], choices: readonly Html[]): Html {
  const allowed = scopes.map((scope) => html`<li>${ALLOWED[scope]}</li>`);
  const where =
    choices.length === 0
      ? html`<p class="problem">You have no computer for this yet. Link one first with <code>gamekeeper link</code>, then try again.</p>`
      : html`<fieldset><legend>On which computers?</legend>${choices}</fieldset>`;
  return html`<p>It will be able to:</p><ul>${allowed}</ul>${where}`;
}

function decision(onlyDeny: boolean): Html {
  const permit = onlyDeny ? '' : html`<button name="decision" value="allow">Allow</button>`;
  return html`<div class="buttons">${permit}<button class="plain" name="decision" value="deny" formnovalidate>Deny</button></div>`;
}

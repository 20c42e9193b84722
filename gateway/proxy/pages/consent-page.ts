import type { Scope } from '../../../shared/domain/access/scope.ts';
import { type Html, html } from '../../../shared/node/html.ts';
import { page, problemNote } from './page.ts';

/** What each scope allows, in the words of people who own servers. */
const ALLOWED: Readonly<Record<Scope, string>> = {
  'servers:read': 'See your servers: whether they run, who plays, and how busy they are',
  'servers:write': 'Start, stop and configure your servers, and use their consoles',
  'backups:create': 'Make, restore and delete backups',
  'logs:read': 'Read the consoles of your servers, without addresses and passwords',
  'tunnels:manage': 'Change how players reach your servers from the internet',
};

export interface ConsentForm {
  action: string;
  program: string;
  account: string;
  scopes: readonly Scope[];
  daemons: readonly { daemonId: string; name: string }[];
  /** The daemons that are ticked. */
  picked: readonly string[];
  problem?: string | undefined;
}

/** Asks whether a program may do what it asks for, and on which computers. */
export function consentPage({ action, program, account, scopes, daemons, picked, problem }: ConsentForm): string {
  const choices = daemons.map(
    ({ daemonId, name }) =>
      html`<label class="choice"><input type="checkbox" name="daemon" value="${daemonId}"${picked.includes(daemonId) ? html` checked` : ''}> ${name}</label>`,
  );
  return page({
    title: `Allow ${program}?`,
    body: html`<p class="dim">You are signed in as <strong>${account}</strong>.</p>${problemNote(problem)}
<form method="post" action="${action}">
${scopes.length === 0 ? html`<p>It will see your name, and nothing of your servers.</p>` : whatAndWhere(scopes, choices)}
<p class="dim">You can take this back at any time on your account's page.</p>
${decision(scopes.length > 0 && choices.length === 0)}
</form>`,
  });
}

export interface LinkForm {
  action: string;
  account: string;
}

/** Asks whether a computer may be linked with the account. */
export function linkPage({ action, account }: LinkForm): string {
  return page({
    title: 'Link this computer?',
    body: html`<p>The Gamekeeper that showed you the code will belong to the account <strong>${account}</strong>: you, and the programs that you
allow, can then reach its servers from anywhere.</p><p>Allow this only if you began it yourself.</p>
<form method="post" action="${action}">${decision(false)}</form>`,
  });
}

function whatAndWhere(scopes: readonly Scope[], choices: readonly Html[]): Html {
  const allowed = scopes.map((scope) => html`<li>${ALLOWED[scope]}</li>`);
  const where =
    choices.length === 0
      ? html`<p class="problem">You have no computer for this yet. Link one with <code>gamekeeper link</code>, then try again.</p>`
      : html`<fieldset><legend>On which computers?</legend>${choices}</fieldset>`;
  return html`<p>It will be able to:</p><ul>${allowed}</ul>${where}`;
}

function decision(onlyDeny: boolean): Html {
  const permit = onlyDeny ? '' : html`<button name="decision" value="allow">Allow</button>`;
  return html`<div class="buttons">${permit}<button class="plain" name="decision" value="deny" formnovalidate>Deny</button></div>`;
}

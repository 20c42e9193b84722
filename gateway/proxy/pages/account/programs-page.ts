import { type Html, html } from '../../../../shared/node/html.ts';
import type { ClientInfo, CreatedClient } from '../../oauth/clients.ts';
import { page, problemNote, timeOf } from '../page.ts';
import { linkButton, list, row } from '../rows.ts';

export interface ProgramForm {
  name: string;
  redirectUris: string;
  isPublic: boolean;
}

export interface ProgramsPage {
  programs: readonly ClientInfo[];
  /** Just registered: the secret is shown once. */
  added?: CreatedClient;
  /** What was typed, if it was refused. */
  form?: ProgramForm;
  problem?: string;
}

/** The programs that an account has registered, and a form for another one. */
export function programsPage({ programs, added, form, problem }: ProgramsPage): string {
  return page({
    title: 'Your programs',
    wide: true,
    body: html`<p><a href="/account">Your account</a></p>${problemNote(problem)}${added === undefined ? '' : credentials(added)}
<p>Register a bot, an app or a website of your own. It can then ask you, and everyone else with an account here, for access to their
servers (OAuth 2.0).</p>
<h2>Registered</h2>${list(programs.map(programRow), html`<p>None yet.</p>`)}
<h2>Register a program</h2>${registration(form)}`,
  });
}

function credentials({ client_id: id, client_secret: secret }: CreatedClient): Html {
  const kept =
    secret === undefined
      ? html`<p>It has no secret.</p>`
      : html`<p>Client secret, which is shown only now: <code>${secret}</code></p>`;
  return html`<div class="note" role="status"><p>Registered. Client ID: <code>${id}</code></p>${kept}</div>`;
}

function programRow({ id, name, redirectUris, isPublic, createdAt }: ClientInfo): Html {
  return row(
    html`<p><strong>${name}</strong>${isPublic ? ', without a secret' : ''}</p><p class="dim"><code>${id}</code> &middot; returns to ${redirectUris.join(', ')} &middot; since ${timeOf(createdAt)}</p>`,
    linkButton(`/account/programs/${id}/remove`, 'Remove', 'danger', name),
  );
}

function registration({ name, redirectUris, isPublic }: ProgramForm = { name: '', redirectUris: '', isPublic: false }) {
  const kind = (value: string, label: string, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="kind" value="${value}"${isChosen ? html` checked` : ''}> ${label}</label>`;
  return html`<form method="post" action="/account/programs">
<label>Name<input name="name" value="${name}" maxlength="64" autocomplete="off" required></label>
<label>Redirect URIs, one on each line<textarea name="redirectUris" rows="2" spellcheck="false" autocapitalize="none" required>${redirectUris}</textarea></label>
<p class="dim">Where people return after they allow access, such as https://bot.example/callback.</p>
<fieldset><legend>Where does it run?</legend>${kind('confidential', 'On a server, where it can keep a secret', !isPublic)}${kind('public', 'In a browser, or on a phone or computer of the person', isPublic)}</fieldset>
<div class="buttons"><button>Register</button></div>
</form>`;
}

import { type Html, html } from '../../../../shared/node/html.ts';
import { AUDITED, type AuditEntry, COMMAND_LINE } from '../../accounts/audit.ts';
import { timeOf } from '../page.ts';
import { list, row } from '../rows.ts';

/** What happened to an account, newest first. */
export function activityList(entries: readonly AuditEntry[]): Html {
  return list(entries.map(activityRow), html`<p>Nothing yet.</p>`);
}

function activityRow({ at, account, action, actor, detail, address }: AuditEntry): Html {
  const by = actor === account ? '' : actor === COMMAND_LINE ? ' by whoever runs this proxy' : ` by ${actor}`;
  const about = detail === '' ? '' : `: ${detail}`;
  const from = address === '' ? '' : html` &middot; from ${address}`;
  return row(html`<p>${AUDITED[action]}${about}${by}</p><p class="dim">${timeOf(at)}${from}</p>`, html``);
}

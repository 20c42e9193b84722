import { type Html, html } from '../../../shared/node/html.ts';

/** A list of things, each with a button. `empty` is shown if there are none. */
export function list(rows: readonly Html[], empty: Html): Html {
  return rows.length === 0 ? empty : html`<ul class="rows">${rows}</ul>`;
}

export function row(text: Html, action: Html): Html {
  return html`<li><div>${text}</div>${action}</li>`;
}

/** A form with only a button. `about`: what it acts on, for screen readers. */
export function button(action: string, label: string, look: 'plain' | 'danger', about?: string): Html {
  return html`<form method="post" action="${action}"><button class="${look}"${aboutOf(label, about)}>${label}</button></form>`;
}

/** A link that looks like a button, to a page that asks for more. */
export function linkButton(href: string, label: string, look: 'plain' | 'danger' = 'plain', about?: string): Html {
  return html`<a class="button ${look}" href="${href}"${aboutOf(label, about)}>${label}</a>`;
}

function aboutOf(label: string, about: string | undefined): Html | '' {
  return about === undefined ? '' : html` aria-label="${`${label}: ${about}`}"`;
}

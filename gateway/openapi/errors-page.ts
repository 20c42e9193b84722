import { ERRORS } from '../../shared/errors/catalogue.ts';
import { escapeHtml, page } from './html.ts';

/** The page that the `type` of every ErrorResponse leads to: each code with what happened and what to do. */
export function errorsPage(): string {
  const errors = Object.entries(ERRORS);
  const contents = errors.map(([code]) => `<a href="#${code}"><code>${code}</code></a>`);
  const entries = errors.map(
    ([code, { status, title, about, resolution }]) =>
      `<section id="${code}"><h2>${status} <code>${code}</code></h2><p><strong>${escapeHtml(title)}.</strong> ${escapeHtml(about)}</p><p>What to do: ${escapeHtml(resolution)}</p></section>`,
  );
  return page(
    'Gamekeeper: errors',
    `<h1>Errors</h1><p>Every answer that is not a success has a body of type <code>application/problem+json</code> with
<code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>code</code> and, where there is advice,
<code>resolution</code>. Programs go by the code; there may be new ones in later versions. <a href="/docs">All operations</a></p>
<p>${contents.join(' ')}</p>${entries.join('\n')}`,
  );
}

import { ERRORS } from '../../shared/errors/catalogue.ts';
import { html, joinHtml } from '../../shared/node/html.ts';
import { PAGE } from '../http/operation.ts';
import { servePanel } from '../http/panel-files.ts';
import type { Api } from '../http/zod-provider.ts';
import { docsPage } from './docs-page.ts';
import { htmlPage, PAGE_HEADERS } from './html-page.ts';
import type { OpenApiDocument } from './types.ts';

export interface PagesOptions {
  describe: () => OpenApiDocument;
  /** Absolute path of the built panel. `undefined`: it was not built, and a page explains how to build it. */
  panelFolder: string | undefined;
  base: () => string;
}

/** The pages for people: the panel, the API reference and the error codes. Each is rendered when it is first requested. */
export async function registerPages(app: Api, { describe, panelFolder, base }: PagesOptions): Promise<void> {
  await registerPanel(app, panelFolder);
  page(app, '/docs', () => docsPage(describe(), base()));
  page(app, '/docs/errors', errorsPage);
}

/** The panel alone. */
export async function registerPanel(app: Api, panelFolder: string | undefined): Promise<void> {
  for (const from of ['/', '/ui']) app.get(from, PAGE, (_request, reply) => reply.redirect('/ui/'));
  if (panelFolder === undefined) page(app, '/ui/', welcomePage);
  else await servePanel(app, panelFolder);
}

function page(app: Api, path: string, render: () => string): void {
  let rendered: Buffer | undefined;
  app.get(path, PAGE, (_request, reply) => {
    rendered ??= Buffer.from(render());
    return reply.headers(PAGE_HEADERS).send(rendered);
  });
}

/** The page that the `type` of every ErrorResponse links to. */
function errorsPage(): string {
  const errors = Object.entries(ERRORS);
  const contents = errors.map(([code]) => html`<a href="#${code}"><code>${code}</code></a>`);
  const entries = errors.map(
    ([code, { status, title, about, resolution }]) =>
      html`<section id="${code}"><h2>${status} <code>${code}</code></h2><p><strong>${title}.</strong> ${about}</p><p>What to do: ${resolution}</p></section>`,
  );
  return htmlPage(
    'Gamekeeper: errors',
    html`<h1>Errors</h1><p>Every error has a body of type <code>application/problem+json</code> with <code>type</code>, <code>title</code>,
<code>status</code>, <code>detail</code>, <code>code</code> and usually <code>resolution</code>. If fields of the request are wrong,
<code>errors</code> names each with the rule that it breaks. Programs use codes and rules; later versions may
add some. <a href="/docs">All operations</a></p>
<p>${joinHtml(contents, ' ')}</p>${joinHtml(entries, '\n')}`,
  );
}

function welcomePage(): string {
  return htmlPage(
    'Gamekeeper',
    html`<h1>Gamekeeper is running</h1>
<p>Gamekeeper runs game servers on this machine. Use it from the command line or over its API:</p>
<pre>npx gamekeeper create --software demo --name Demo
npx gamekeeper start demo
npx gamekeeper console demo
npx gamekeeper backup demo
npx gamekeeper list</pre>
<p>The API: <a href="/docs">all operations</a>, <a href="/docs/errors">all errors</a>, <a href="/openapi.json">OpenAPI document</a>.
For a program, create a token with <code>npx gamekeeper token create --name my-bot</code> and send it as
<code>Authorization: Bearer ...</code>.</p>`,
  );
}

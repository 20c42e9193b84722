import { panelFiles } from '../http/panel-files.ts';
import type { Api } from '../http/zod-provider.ts';
import { docsPage } from './docs-page.ts';
import { errorsPage } from './errors-page.ts';
import { PAGE_HEADERS } from './html.ts';
import type { OpenApiDocument } from './openapi.ts';
import { welcomePage } from './welcome-page.ts';

export interface PagesOptions {
  describe: () => OpenApiDocument;
  /** Absolute path of the built panel; a page that says what this is stands in where it was not built. */
  panel: string | undefined;
  /** URL of this listener, for examples. */
  base: () => string;
}

/** The pages that people read: the panel, the operations, the errors. */
export async function pages(app: Api, { describe, panel, base }: PagesOptions): Promise<void> {
  for (const from of ['/', '/ui']) app.get(from, (_request, reply) => reply.redirect('/ui/'));
  if (panel === undefined) page(app, '/ui/', welcomePage);
  else await panelFiles(app, panel);
  page(app, '/docs', () => docsPage(describe(), base()));
  page(app, '/docs/errors', errorsPage);
}

function page(app: Api, path: string, make: () => string): void {
  let made: Buffer | undefined;
  app.get(path, (_request, reply) => {
    made ??= Buffer.from(make());
    return reply.headers(PAGE_HEADERS).send(made);
  });
}

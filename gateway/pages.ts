import { docsPage } from './http/docs-page.ts';
import { errorsPage } from './http/errors-page.ts';
import { PAGE_HEADERS } from './http/html.ts';
import type { OpenApiDocument } from './http/openapi.ts';
import { welcomePage } from './http/welcome-page.ts';
import type { Api } from './http/zod-provider.ts';

/** The pages that people read: what this is, the operations, the errors. */
export function pages(app: Api, describe: () => OpenApiDocument): void {
  for (const from of ['/', '/ui']) app.get(from, (_request, reply) => reply.redirect('/ui/'));
  page(app, '/ui/', welcomePage);
  page(app, '/docs', () => docsPage(describe()));
  page(app, '/docs/errors', errorsPage);
}

function page(app: Api, path: string, make: () => string): void {
  let made: string | undefined;
  app.get(path, (_request, reply) => {
    made ??= make();
    return reply.headers(PAGE_HEADERS).send(made);
  });
}

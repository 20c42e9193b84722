import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Api } from './zod-provider.ts';

/**
 * Bodies are JSON and nothing else. An empty body counts as none, whatever its type is said to be (curl -d '' says a form); keys that
 * would reach a prototype are refused.
 */
export function acceptJson(app: Api): void {
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (headers['content-length'] === '0') delete headers['content-type'];
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') {
      done(null, undefined);
      return;
    }
    parse(request, body as string, (error, value) =>
      error
        ? done(new GamekeeperError('invalid_request', 'Body: not valid JSON.', { cause: error }))
        : done(null, value),
    );
  });
}

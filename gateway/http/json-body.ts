import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Api } from './zod-provider.ts';

/**
 * Bodies are JSON and nothing else. An empty body with a JSON content type counts as none (api.md, Errors); keys that would reach
 * a prototype are refused.
 */
export function acceptJson(app: Api): void {
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

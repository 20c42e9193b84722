import type { FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Api } from './zod-provider.ts';

/** JSON is UTF-8 (RFC 8259, section 8.1); the charset may be omitted. */
const JSON_TYPE = /^application\/json[\t ]*(?:;[\t ]*charset=(?:utf-8|"utf-8")[\t ]*)?$/i;

/** For requests without credentials: name, password and code of a sign-in are far smaller. */
const MAX_PUBLIC_BODY_BYTES = 16 * 1024;

/**
 * Accepts only JSON bodies. An empty body counts as none, whatever its content type (`curl -d ''` sends a form's). Rejects invalid UTF-8,
 * and keys that would reach a prototype.
 */
export function acceptJson(app: Api): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    // The content type of an empty body does not matter, even if it is invalid.
    if (headers['content-length'] === '0') delete headers['content-type'];
    done();
  });
  app.addHook('onRoute', (route) => {
    if (route.config?.operation?.access.kind === 'public') route.bodyLimit = MAX_PUBLIC_BODY_BYTES;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      requireJson(request);
    } catch (error) {
      done(error as GamekeeperError);
      return;
    }
    let text: string;
    try {
      text = decoder.decode(body as Buffer);
    } catch (cause) {
      done(new GamekeeperError('invalid_request', 'Body: not valid UTF-8.', { cause }));
      return;
    }
    parse(request, text, (cause, value) => {
      if (cause) done(new GamekeeperError('invalid_request', 'Body: not valid JSON.', { cause }));
      // The validator takes `null` for an absent body.
      else if (value === null) done(new GamekeeperError('invalid_request', 'Body: a JSON object is required.'));
      else done(null, value);
    });
  });
}

function requireJson({ headers }: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity')
    throw new GamekeeperError('unsupported_media_type', 'The body must not be compressed.', {
      resolution: 'Send it without Content-Encoding.',
    });
  if (type === undefined || !JSON_TYPE.test(type.trim()))
    throw new GamekeeperError('unsupported_media_type', 'The body must be JSON with content-type application/json.');
}

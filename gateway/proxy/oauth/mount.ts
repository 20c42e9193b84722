import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { noteUserCode } from './device-flow.ts';

const ROUTES = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/*',
  '/device',
  '/device/*',
];

/** Hands the routes of OAuth to oidc-provider, which reads the bodies itself. */
export async function mountProvider(app: FastifyInstance, provider: Provider): Promise<void> {
  const { protocol, host } = new URL(provider.issuer);
  const handle = provider.callback();
  await app.register(async (oauth) => {
    oauth.removeAllContentTypeParsers();
    oauth.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const url of ROUTES)
      oauth.route({
        method: ['GET', 'HEAD', 'POST', 'OPTIONS'],
        url,
        handler(request: FastifyRequest, reply: FastifyReply) {
          const { raw } = request;
          // All addresses are the issuer's, whatever the client or a reverse proxy says.
          raw.headers.host = host;
          raw.headers['x-forwarded-host'] = host;
          raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
          takeUserCode(raw);
          reply.hijack();
          void handle(raw, reply.raw);
        },
      });
  });
}

/** Removes the user code from the address of the page where it is entered. */
function takeUserCode(raw: FastifyRequest['raw']): void {
  const url = new URL(raw.url ?? '/', 'http://proxy');
  const code = url.searchParams.get('user_code');
  if (raw.method !== 'GET' || url.pathname !== '/device' || code === null) return;
  noteUserCode(raw, code);
  raw.url = url.pathname;
}

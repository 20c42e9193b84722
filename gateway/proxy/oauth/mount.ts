import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteUserCode } from './consent/device-flow.ts';
import type { OauthServer } from './server.ts';

const ROUTES = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/*',
  '/device',
  '/device/*',
];

/** Hands the routes of OAuth to oidc-provider, which reads the bodies itself. */
export async function mountOauth(app: FastifyInstance, oauth: OauthServer): Promise<void> {
  const { protocol, host } = new URL(oauth.provider.issuer);
  await app.register(async (routes) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const url of ROUTES)
      routes.route({
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
          oauth.handle(raw, reply.raw);
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

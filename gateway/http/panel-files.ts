import fastifyStatic from '@fastify/static';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { PAGE } from './operation.ts';
import { PANEL_POLICY } from './panel-policy.ts';
import { quoted } from './quoted.ts';
import type { Api } from './zod-provider.ts';

/** Vite puts a hash of the content into the names of these files. */
const ASSETS = 'assets/';
const A_YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Serves the built panel in `root`, an absolute path, under `/ui/`. Sends the files that the build has compressed. Paths without a file are
 * pages of the panel's router.
 */
export async function servePanel(app: Api, root: string): Promise<void> {
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true, index: false });
  app.setNotFoundHandler(({ url }) => {
    throw new GamekeeperError('route_not_found', `The panel has no file ${quoted(url)}.`);
  });
  app.get<{ Params: { '*': string } }>('/ui/*', PAGE, (request, reply) => {
    const path = request.params['*'];
    reply.headers({ 'content-security-policy': PANEL_POLICY, 'referrer-policy': 'no-referrer' });
    if (path.startsWith(ASSETS)) return reply.sendFile(path, { immutable: true, maxAge: A_YEAR_MS });
    const isFile = /\.[a-z0-9]+$/i.test(path);
    return reply.sendFile(isFile ? path : 'index.html', { maxAge: 0 });
  });
}

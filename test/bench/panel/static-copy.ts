/** What a page of the panel is compared with: the same page and bytes without scripts. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** What a browser gets for a path. */
type Files = Map<string, { type: string; body: Buffer }>;

/**
 * Serves a page that looks as this one does now, and that loads its scripts without running them. `reload` loads the page again, and resolves
 * once it looks as it should. Resolves to the address of a server, which `cleanup` closes.
 */
export async function serveStaticCopy(
  page: Page,
  { panel, reload }: { panel: string; reload: () => Promise<void> },
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const urls = new Set<string>();
  page.on('request', (request) => urls.add(request.url()));
  await reload();
  const files: Files = new Map();
  for (const url of [...urls].filter((each) => each.startsWith(`${panel}/ui/assets/`))) {
    const response = await fetch(url);
    files.set(new URL(url).pathname, {
      type: response.headers.get('content-type') ?? '',
      body: Buffer.from(await response.arrayBuffer()),
    });
  }
  const html = (await page.content())
    .replaceAll(/<script [^>]*src="([^"]+)"[^>]*><\/script>/g, '<link rel="preload" as="fetch" crossorigin href="$1">')
    .replaceAll(/<script[\s\S]*?<\/script>/g, '');
  files.set(new URL(page.url()).pathname, { type: 'text/html; charset=utf-8', body: Buffer.from(html) });
  return await serve(files, cleanup);
}

async function serve(files: Files, cleanup: AsyncDisposableStack): Promise<string> {
  const server: Server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file) response.setHeader('Content-Type', file.type).end(file.body);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

import t from 'tap';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('serves the built panel under /ui/ and no other file', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { panel } = gamekeeper.addresses();
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${panel}${path}`, { headers });

  const index = await get('/ui/');
  const html = await index.text();
  t.equal(index.status, 200);
  t.match(index.headers.get('content-type'), /^text\/html/);
  t.match(index.headers.get('content-security-policy'), /script-src 'self';/, 'no inline script runs');
  t.match(index.headers.get('cache-control'), /max-age=0/, 'a new build is loaded at once');
  t.equal(await (await get('/ui/servers/demo/console')).text(), html, 'every page of the panel is the same document');

  const script = /src="(\/ui\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  if (!script) throw new Error(`no script in ${html}`);
  const compressed = await get(script, { 'accept-encoding': 'br' });
  t.match(compressed.headers.get('content-type'), /javascript/);
  t.equal(compressed.headers.get('content-encoding'), 'br');
  t.match(compressed.headers.get('cache-control'), /max-age=31536000, immutable/);

  const refused = { '/ui/assets/none.js': 404, '/ui/none.svg': 404, '/ui/..%2f..%2fpackage.json': 400 };
  for (const [path, status] of Object.entries(refused)) {
    const answer = await get(path);
    t.equal(answer.status, status, path);
    t.match(await answer.json(), { status, code: String }, path);
  }
});

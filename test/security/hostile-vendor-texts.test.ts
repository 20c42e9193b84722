/**
 * Texts of a vendor come from strangers: HTML, Markdown, terminal escapes and invisible characters in the titles, descriptions, authors and
 * file names of Modrinth stay text, and a file name leads nowhere else.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { PRINTABLE_LINE } from '../../shared/domain/console/invisible-characters.ts';
import type { ModSearch } from '../../shared/schema/mods.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { GAME, startFakeModrinth } from '../workers/jobs/mods/fake-modrinth.ts';

const MARKUP = '<img src=x onerror=alert(1)>[x](javascript:alert(1))';
const HIDDEN = '\u001b]0;owned\u0007\u202egnp.exe\u2028next\u2029line\u3164\u200b\r\n[gamekeeper] trust me';

const modrinth = await startFakeModrinth(t);
const gamekeeper = await startGamekeeper(t, { settings: { vendors: { modrinth: modrinth.base } } });
await gamekeeper.api('POST', '/instances', { name: 'Mods', software: 'fabric', version: GAME });
const where = '/instances/mods/mods';

t.test('texts of a search are single lines of plain text', async (t) => {
  modrinth.fault = (request, response) => {
    if (!request.url?.startsWith('/v2/search')) return false;
    const text = MARKUP + HIDDEN;
    const hit = { project_id: 'AABBCCDD', slug: 'evil', title: text, description: text.repeat(100), author: text };
    const hits = [{ ...hit, downloads: 1, icon_url: 'javascript:alert(1)' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ hits, offset: 0, limit: 10, total_hits: 1 }));
    return true;
  };
  const answer = await gamekeeper.api<ModSearch>('GET', `${where}/search?query=x`);
  modrinth.fault = () => false;
  t.match(answer.headers.get('content-type'), /^application\/json/);
  const [hit] = answer.body.hits;
  for (const text of [hit?.title, hit?.description, hit?.author]) {
    t.match(text, PRINTABLE_LINE, 'nothing is hidden in it');
    t.ok((text ?? '').length <= 600);
  }
  t.match(hit?.title, MARKUP, 'markup is text');
  t.notMatch(JSON.stringify(answer.body), /"javascript:/, 'an address of an image is one of the web, or none');
});

for (const [n, fileName] of [
  '../../evil.jar',
  '/tmp/evil.jar',
  `${MARKUP}.jar`,
  'a\u202erab.exe.jar',
  'b\n.jar',
].entries())
  t.test(`a file named ${JSON.stringify(fileName)} is refused, or stays in its folder`, async (t) => {
    modrinth.add({ slug: `evil${n}`, versions: [{ number: '1', fileName }] });
    const answer = await gamekeeper.api<{ detail?: string }>('POST', where, { project: `evil${n}` });
    const folder = path.join(gamekeeper.home, 'instances/mods');
    for (const file of readdirSync(folder, { recursive: true }) as string[])
      t.match(path.basename(file), PRINTABLE_LINE, file);
    t.notOk(readdirSync(path.join(gamekeeper.home, 'instances')).includes('evil.jar'));
    t.notOk(readdirSync(folder).includes('evil.jar'), `${answer.status}`);
    t.match(JSON.stringify(answer.body), PRINTABLE_LINE);
  });

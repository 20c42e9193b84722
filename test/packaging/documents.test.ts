/** Links between the documents resolve, and the files that docs/architecture.md names exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAP = 'docs/architecture.md';
/** Paths in the map start in one of these folders. */
const PLACES = ['', 'workers/supervisor', 'gateway/proxy'];

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

t.test('links between documents point to an existing file and heading', async (t) => {
  t.ok(documents.length > 20);
  for (const document of documents) {
    for (const [, link = ''] of textOf(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file);
      if (!existsSync(path.join(ROOT, target))) t.fail(`${document}: ${link} does not exist`);
      else if (anchor !== undefined && !anchorsOf(target).has(anchor))
        t.fail(`${document}: ${link} has no such heading`);
    }
  }
});

t.test('every file that the map names exists', async (t) => {
  const named = [...textOf(MAP).matchAll(/`([a-z0-9./-]+\/[a-z0-9-]+\.ts)`/g)].map(([, file = '']) => file);
  t.ok(named.length > 40);
  const missing = named.filter((file) => !PLACES.some((place) => existsSync(path.join(ROOT, place, file))));
  t.same(missing, []);
});

function textOf(document: string): string {
  return readFileSync(path.join(ROOT, document), 'utf8');
}

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchorsOf(document: string): Set<string> {
  const headings = [...textOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

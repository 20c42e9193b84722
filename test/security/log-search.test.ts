/**
 * Someone who may only read logs searches a full one over and over, and does not wait for the answers. The server's supervisor, which has one
 * thread, goes on answering everybody else, and its memory does not grow with the number of searches.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

const FILES = 8;
const LINES_PER_FILE = 160_000;
const SEARCHES = 180;
/** The pieces that are read, and garbage that is not collected yet. Without limits it grows by several hundred. */
const MOST_GROWTH_MIB = 64;

const gamekeeper = await startGamekeeper(t);
const folder = homeAt(gamekeeper.home).consoleLogDirectory('demo');
mkdirSync(folder, { recursive: true });
for (let file = 0; file < FILES; file++) {
  const firstSeq = 1 + file * LINES_PER_FILE;
  const line = (n: number) =>
    `2026-11-20T08:15:00.000Z [08:15:00] [Server thread/INFO]: Steve placed block ${firstSeq + n} in the overworld, quietly\n`;
  const name = `console-${String(firstSeq).padStart(15, '0')}.log`;
  writeFileSync(path.join(folder, name), Array.from({ length: LINES_PER_FILE }, (_, n) => line(n)).join(''));
}
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
await gamekeeper.api('GET', '/instances/demo/logs?lines=1'); // the supervisor runs now
const supervisor = watchedProcess(gamekeeper, /supervisor\/main/);
const viewer = { authorization: `Bearer ${await gamekeeper.token({ scopes: ['logs:read'] })}` };
async function search(text: string, signal: AbortSignal) {
  const url = new URL(`/instances/demo/logs?contains=${text}`, gamekeeper.addresses().panel);
  const answer = await fetch(url, { headers: viewer, signal });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
}

t.test('a search finds what only the oldest file has', async (t) => {
  const answer = await gamekeeper.api('GET', '/instances/demo/logs?contains=BLOCK%207%20IN');
  t.same(answer.body, { lines: ['[08:15:00] [Server thread/INFO]: Steve placed block 7 in the overworld, quietly'] });
});

t.test('a flood of searches does not keep the supervisor from others', async (t) => {
  const before = supervisor.memoryMib();
  const left = new AbortController();
  const answers: Awaited<ReturnType<typeof search>>[] = [];
  const searches = Array.from({ length: SEARCHES }, (_, n) =>
    search(`nothing${n}`, left.signal).then(
      (answer) => answers.push(answer),
      () => undefined, // it left
    ),
  );
  let highest = 0;
  for (let asked = 0; asked < 20; asked++) {
    t.equal((await gamekeeper.api('GET', '/instances/demo/crashes')).status, 200);
    highest = Math.max(highest, supervisor.memoryMib());
  }
  await until('the first search is done', () => answers.some(({ status }) => status === 200));
  left.abort();
  await Promise.all(searches);
  const refused = answers.filter(({ status }) => status === 429);
  t.ok(refused.length > SEARCHES / 2, `${refused.length} are refused`);
  t.match(refused[0], { retryAfter: /^\d+$/, body: { code: 'rate_limited' } });
  t.ok(highest - before < MOST_GROWTH_MIB, `grew by ${highest - before} MiB`);
  t.equal(
    (await gamekeeper.api('GET', '/instances/demo/logs?contains=nothing')).status,
    200,
    'then there is a turn again',
  );
});

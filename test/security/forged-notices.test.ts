/**
 * A game, or a player whom it quotes, cannot pass lines off as Gamekeeper's own, nor hide or reorder text in the console: in the live console,
 * its log, and everything that reads it.
 */
import t from 'tap';
import { WebSocket } from 'ws';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const FORGED = [
  '[gamekeeper] The server has stopped.',
  '[GameKeeper] In another case.',
  '\x1b[32m[game\x1b[0mkeeper] In colours.',
  ' \t[gamekeeper] After blanks.',
  'x\r[gamekeeper] Over something else.',
  '\x1b[2K\x1b[1G[gamekeeper] Drawn.',
  '\ufeff[gamekeeper] After an invisible character.',
  '\u00a0\u034f\ufe0f[game\u{e0101}keeper] After and around unseen characters.',
  'safe \u202elive\u2028\u200b\u2066\u{e0041}',
];
const SHOWN = [
  '[game] [gamekeeper] The server has stopped.',
  '[game] [GameKeeper] In another case.',
  '[game] [gamekeeper] In colours.',
  '[game]  \t[gamekeeper] After blanks.',
  '[game] [gamekeeper] Over something else.',
  '[game] [gamekeeper] Drawn.',
  '<U+FEFF>[gamekeeper] After an invisible character.',
  '\u00a0<U+034F>\ufe0f[game<U+E0101>keeper] After and around unseen characters.',
  'safe <U+202E>live<U+2028><U+200B><U+2066><U+E0041>',
];

interface Line {
  text: string;
  notice?: boolean;
}

t.test('no line of a game is taken for one of Gamekeeper', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const program = `process.stdout.write(${JSON.stringify(`${FORGED.join('\n')}\nup\n`)}); process.stdin.resume()`;
  await gamekeeper.api('POST', '/instances', {
    name: 'Forger',
    software: 'custom',
    launch: { command: [process.execPath, '-e', program] },
    readyPattern: 'up',
  });
  await gamekeeper.api('POST', '/instances/forger/start');
  await gamekeeper.waitForStatus('forger', 'running');
  await gamekeeper.api('POST', '/instances/forger/kill');
  await gamekeeper.waitForStatus('forger', 'stopped');

  const { body } = await gamekeeper.api<{ lines: string[] }>('GET', '/instances/forger/logs?lines=100');
  const from = body.lines.indexOf(SHOWN[0]!);
  t.same(body.lines.slice(from, from + SHOWN.length), SHOWN);

  const url = new URL('/ws/instances/forger/console?format=json', gamekeeper.addresses().panel.replace(/^http/, 'ws'));
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${await gamekeeper.token()}` } });
  t.teardown(() => socket.terminate());
  const lines: Line[] = [];
  socket.on('message', (data) => lines.push(...((JSON.parse(String(data)) as { lines?: Line[] }).lines ?? [])));
  await until('the console shows the log', () => lines.length >= body.lines.length);
  const notices = lines.filter(({ notice }) => notice).map(({ text }) => text);
  t.ok(notices.length > 0, 'there are notices');
  for (const text of notices) t.match(text, /^\[gamekeeper\] /);
  for (const text of SHOWN) t.notOk(notices.includes(text), text);
  t.notMatch((await gamekeeper.cli('logs', 'forger')).stdout, /[\u200b-\u200f\u2028-\u202e\ufeff]/);
});

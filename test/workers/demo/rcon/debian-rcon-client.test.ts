import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { startDemoServer } from '../../../fixtures/demo-server.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';

const run = promisify(execFile);

t.test('Debian’s rcon client logs in, runs commands and joins long answers', async (t) => {
  if (!requireProgram(t, 'rconclt', 'rcon')) return;
  const server = await startDemoServer(t, { properties: { 'rcon.password': 'hunter2' } });
  const rcon = async (password: string, ...command: string[]): Promise<string> => {
    const { stdout } = await run('rconclt', ['-t', '20', `${password}@127.0.0.1:${server.rconPort}`, ...command]);
    return stdout;
  };
  t.equal(await rcon('hunter2', 'list'), 'There are 0 of a max of 20 players online: \n');
  t.equal(await rcon('hunter2', 'save-all', 'flush'), 'Saving the game (this may take a moment!)Saved the game\n');
  t.equal(await rcon('hunter2', 'demo', 'answer', '10000'), `${'x'.repeat(10_000)}\n`);
  await t.rejects(rcon('wrong', 'list'), { message: /Wrong password/ });
  t.equal(await rcon('hunter2', 'stop'), 'Stopping the server\n');
  t.same(await server.exited, { code: 0, signal: null });
});

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
mkdirSync(path.join(folder, 'plugins'), { recursive: true });
writeFileSync(path.join(folder, 'server.properties'), 'motd=x\n');
const outside = temporaryFolder(t);
writeFileSync(path.join(outside, '0.png'), 'x');

t.test(
  'the owner learns of what a backup lacks in the answer, the command line, the console and the metrics',
  async (t) => {
    symlinkSync(outside, path.join(folder, 'plugins/map'));
    const omissions = { omitted: [{ path: 'plugins/map', reason: 'outside-link' }], omittedCount: 1 };
    t.match(await gamekeeper.api('POST', '/instances/demo/backup'), { status: 200, body: omissions });
    t.match((await gamekeeper.api('GET', '/instances/demo/backups')).body, [omissions]);

    const warning =
      /WARNING: 1 file or folder is NOT in this backup: plugins\/map \(a link that leads out of the server folder\)/;
    const made = await gamekeeper.cli('backup', 'demo');
    t.match(made, { code: 0, stdout: warning });
    const backupId = /Created backup (\S+)/.exec(made.stdout)?.[1] ?? '';
    t.match(await gamekeeper.cli('verify', 'demo', backupId), { code: 0, stdout: warning });
    t.match(await gamekeeper.cli('backups', 'demo'), { code: 0, stdout: /OMITTED/ });
    const { body } = await gamekeeper.api<{ lines: string[] }>('GET', '/instances/demo/logs?lines=50');
    t.match(body.lines.join('\n'), `The backup ${backupId} does not contain everything: plugins/map`);
    const metrics = await fetch(`${gamekeeper.addresses().panel}/metrics`);
    t.match(await metrics.text(), /gamekeeper_backup_last_success_omitted\{.*instance="demo".*\} 1/);
  },
);

t.test('a world behind a link fails backup and export, with what to do', async (t) => {
  rmSync(path.join(folder, 'world'), { recursive: true, force: true });
  symlinkSync(outside, path.join(folder, 'world'));
  const problem = { status: 409, body: { code: 'invalid_state', detail: /"world" is a link that leads out/ } };
  t.match(await gamekeeper.api('POST', '/instances/demo/backup'), problem);
  t.match(await gamekeeper.api('GET', '/instances/demo/export'), problem);
  const { code, stderr } = await gamekeeper.cli('backup', 'demo');
  t.not(code, 0);
  t.match(stderr, /the world would not be in the backup[\s\S]*backups\.exclude/);
});

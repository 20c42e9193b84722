import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { systemdUnit } from '../../../../gateway/proxy/commands/systemd-unit.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

/** Tenths of systemd's scale from 0 (isolated) to 10 (unprotected). The unit has 1.3. */
const HIGHEST_EXPOSURE = 15;

t.test('special characters in the command line are escaped', async (t) => {
  const unit = systemdUnit(['/opt/node', '--flag', '/srv/100% "mine" $HOME/main.js']);
  t.match(unit, '\nExecStart=":/opt/node" "--flag" "/srv/100%% \\"mine\\" $HOME/main.js"\n');
});

t.test('systemd accepts the unit, and counts it as well protected', async (t) => {
  if (!requireProgram(t, 'systemd-analyze', 'systemd')) return;
  const file = writeUnit(t);
  t.equal(await systemdAnalyze('verify', '--man=no', '--recursive-errors=no', file), '');
  const threshold = `--threshold=${HIGHEST_EXPOSURE}`;
  const report = await systemdAnalyze('security', '--offline=true', '--no-pager', threshold, file);
  t.match(report, /Overall exposure level for gamekeeper-proxy\.service: \d\.\d/);
  t.notMatch(report, /^failed/, report);
});

function writeUnit(t: Test): string {
  const folder = path.join(temporaryFolder(t), 'Größe 5% $HOME');
  mkdirSync(folder);
  const node = path.join(folder, 'node');
  writeFileSync(node, '');
  chmodSync(node, 0o755);
  const file = path.join(folder, 'gamekeeper-proxy.service');
  writeFileSync(file, systemdUnit([node, path.join(folder, 'main.js')]));
  return file;
}

function systemdAnalyze(...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('systemd-analyze', args, (error, stdout, stderr) =>
      resolve(`${error ? 'failed: ' : ''}${stdout}${stderr}`),
    );
  });
}

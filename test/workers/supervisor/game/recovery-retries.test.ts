import { existsSync } from 'node:fs';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';
import {
  killSupervisor,
  spawnSupervisor,
  startGame,
  supervisorBoot,
} from '../../../support/processes/spawned-supervisor.ts';

t.test('starting is refused until the leftovers of a killed supervisor could be inspected', async (t) => {
  const first = await spawnSupervisor(t);
  const { home } = first;
  const old = await startGame(first);
  await killSupervisor(first);
  const file = home.gameRecord('test');
  const record = await readFile(file);
  await rm(file);
  // ELOOP stands for any error, such as EMFILE.
  await symlink(path.basename(file), file);
  const { config } = await supervisorBoot(home);
  const { service, logged, waitForPhase } = await runSupervisor(t, { home, config });
  await until('an inspection failed', () => logged.some((message) => /could not be inspected/.test(message)));
  await t.rejects(service.start(), { code: 'ELOOP' });
  t.ok(await identifyProcess(old), 'the orphaned game still runs');
  await writeFile(`${file}.whole`, record);
  await rename(`${file}.whole`, file);
  await until('the orphaned game is ended', async () => (await identifyProcess(old)) === undefined);
  await service.start();
  await waitForPhase('running');
});

t.test('a start that fails to spawn leaves no record', async (t) => {
  const { service, home } = await runSupervisor(t, {
    config: { software: 'custom', directory: temporaryFolder(t), launch: { command: ['no-such-thing'] } },
  });
  await t.rejects(service.start(), { code: 'launch_failed' });
  t.notOk(existsSync(home.gameRecord('test')));
});

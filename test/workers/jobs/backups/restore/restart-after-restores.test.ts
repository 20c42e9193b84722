import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { Phase } from '../../../../../shared/domain/instance/phase.ts';
import { homeAt } from '../../../../../shared/node/files/home.ts';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';

/** Starts jobs where a former process stopped a server for a restore. Resolves to what its supervisor hears until the mark is gone. */
async function heardIn(t: Test, phase: Phase): Promise<readonly string[]> {
  const home = homeAt(temporaryFolder(t));
  const mark = home.restartMark('survival');
  mkdirSync(path.dirname(mark), { recursive: true });
  writeFileSync(mark, '');
  const jobs = await startTestJobs(t, { home, settings: (daemon) => daemon.change('survival', { phase }) });
  const { heard } = await jobs.daemon.supervisor('survival');
  await until('the mark is gone', () => !existsSync(mark));
  return heard;
}

t.test('a server that was stopped for a restore is started by the next process', async (t) => {
  t.same(await heardIn(t, 'stopped'), ['start']);
  t.same(await heardIn(t, 'stopping'), ['restart']);
});

t.test('a server that was started meanwhile, or whose start failed, is left alone', async (t) => {
  for (const phase of ['starting', 'running', 'crashed'] as const) t.same(await heardIn(t, phase), [], phase);
});

import t from 'tap';
import type { ServerTask } from '../../../../../gateway/panel/src/pages/overview/attention.ts';
import { concernPage } from '../../../../../gateway/panel/src/pages/overview/concern-page.ts';
import { TABS } from '../../../../../gateway/panel/src/pages/server/tabs.ts';
import { job } from '../../../../../shared/schema/job.ts';

const tabs = TABS.map(({ tab }) => tab);
const pageOfTask = (task: ServerTask) => concernPage('failedTasks', 'demo', { task, tabs });

t.test('a failed task leads to where it is seen or done again', async (t) => {
  t.equal(pageOfTask('mods'), '/servers/demo/mods');
  t.equal(pageOfTask('restore'), '/servers/demo/backups');
  t.equal(pageOfTask('export'), '/servers/demo/files', 'also the download of a folder');
});

t.test('each kind of task leads to a page that exists', async (t) => {
  for (const kind of job.shape.kind.options) if (kind !== 'import') t.type(pageOfTask(kind), 'string', kind);
});

t.test('anything else leads to the tab about it', async (t) => {
  t.equal(concernPage('crashed', 'demo', { tabs }), '/servers/demo/crashes');
  t.equal(concernPage('lag', 'demo', { tabs }), '/servers/demo/charts');
});

t.test('nothing leads to a tab that the user may not open', async (t) => {
  t.equal(concernPage('failedTasks', 'demo', { task: 'mods', tabs: ['console'] }), undefined);
  t.equal(concernPage('backups', 'demo', { tabs: ['console'] }), undefined);
  t.equal(concernPage('notStarted', 'demo', { tabs: ['console'] }), '/servers/demo/console');
});

import t from 'tap';
import { concernPage } from '../../../../../gateway/panel/src/pages/overview/concern-page.ts';
import { TABS } from '../../../../../gateway/panel/src/pages/server/tabs.ts';
import { job } from '../../../../../shared/schema/job.ts';

t.test('a failed task leads to where it is seen or done again', async (t) => {
  t.equal(concernPage('failedTasks', 'demo', 'mods'), '/servers/demo/mods');
  t.equal(concernPage('failedTasks', 'demo', 'restore'), '/servers/demo/backups');
  t.equal(concernPage('failedTasks', 'demo', 'extract'), '/servers/demo/files');
  t.equal(concernPage('failedTasks', 'demo', 'import'), '/new');
});

t.test('each kind of task leads to a page that exists', async (t) => {
  const pages = ['/new', ...TABS.map(({ tab }) => `/servers/demo/${tab}`)];
  for (const kind of job.shape.kind.options) t.ok(pages.includes(concernPage('failedTasks', 'demo', kind)), kind);
});

t.test('anything else leads to the tab about it', async (t) => {
  t.equal(concernPage('crashed', 'demo'), '/servers/demo/crashes');
  t.equal(concernPage('lag', 'demo'), '/servers/demo/charts');
});

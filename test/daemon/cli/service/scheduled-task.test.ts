import t from 'tap';
import type { ServiceDefinition } from '../../../../daemon/cli/service/definition.ts';
import { scheduledTask } from '../../../../daemon/cli/service/scheduled-task.ts';

const PLAIN: ServiceDefinition = {
  node: '/opt/node/bin/node',
  entry: '/opt/gamekeeper/dist/daemon/main.js',
  home: '/home/steve/.local/share/gamekeeper',
  stopSeconds: 90,
  path: '/usr/local/bin:/usr/bin:/bin',
  growingPauses: false,
};

t.test('the task of Windows', async (t) => {
  const task = scheduledTask(
    {
      ...PLAIN,
      node: 'C:\\Program Files\\nodejs\\node.exe',
      entry: 'C:\\R&D\\main.js',
      home: 'D:\\',
    },
    'PC\\Zoë',
  );
  t.ok(task.includes('<Command>&quot;C:\\Program Files\\nodejs\\node.exe&quot;</Command>'));
  t.ok(
    task.includes('<Arguments>&quot;C:\\R&amp;D\\main.js&quot; &quot;--home&quot; &quot;D:\\\\&quot;</Arguments>'),
    task,
  );
  t.ok(task.includes('<UserId>PC\\Zoë</UserId>'));
});

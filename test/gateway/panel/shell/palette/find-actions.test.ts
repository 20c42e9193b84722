import t from 'tap';
import { findActions } from '../../../../../gateway/panel/src/shell/palette/find-actions.ts';

const GROUPS = [
  {
    group: 'Servers',
    actions: [
      { id: 'survival', label: 'Survival', description: 'Stopped' },
      { id: 'tab survival backups', label: 'Survival: Backups' },
      { id: 'backup survival', label: 'Back up Survival' },
      { id: 'stop survival', label: 'Stop Survival' },
    ],
  },
  { group: 'Host', actions: [{ id: '/host/users', label: 'Users' }] },
];

const idsFor = (query: string) => findActions(query, GROUPS).flatMap(({ actions }) => actions.map(({ id }) => id));

t.test('finds words in any order, in any case', (t) => {
  t.same(idsFor('survival backups'), ['tab survival backups']);
  t.same(idsFor(' BACKUPS  surv '), ['tab survival backups']);
  t.same(idsFor('survival backups users'), []);
  t.end();
});

t.test('what was typed comes before its words, and a label before a description', (t) => {
  t.same(idsFor('back up survival'), ['backup survival', 'tab survival backups']);
  t.same(idsFor('stop survival'), ['stop survival', 'survival']);
  t.end();
});

t.test('without a query finds all, and a group without any is left out', (t) => {
  t.same(findActions('', GROUPS), GROUPS);
  t.same(
    findActions('users', GROUPS).map(({ group }) => group),
    ['Host'],
  );
  t.end();
});

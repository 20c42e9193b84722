import t from 'tap';
import { findActions } from '../../../../../gateway/panel/src/shell/palette/find-actions.ts';
import { otherNames } from '../../../../../gateway/panel/src/shell/palette/other-names.ts';
import { fill } from '../../../../../gateway/panel/src/text/section.ts';

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

t.test('finds an action by its other names, in every language', (t) => {
  const actionsIn = (language: keyof typeof otherNames) =>
    Object.entries(otherNames[language]).map(([id, names]) => ({ id, keywords: fill(names, { name: 'Survival' }) }));
  const found = (language: keyof typeof otherNames, query: string) =>
    findActions(query, [{ group: 'Servers', actions: actionsIn(language) }]).flatMap(({ actions }) =>
      actions.map(({ id }) => id),
    );
  t.same(found('en', 'reboot survival'), ['restart']);
  t.same(found('en', 'survival backup'), ['backup']);
  t.same(found('en', 'survival launch'), ['start', 'restart']);
  t.same(found('en', 'add user'), ['newUser']);
  t.same(found('de', 'backup survival'), ['backup']);
  t.same(found('de', 'survival neustart'), ['restart']);
  t.same(found('zh', 'backup survival'), ['backup']);
  t.same(found('zh', '快照survival'), ['backup']);
  t.end();
});

t.test('blanks do not matter if the words are in order', (t) => {
  t.same(idsFor('backup survival'), ['backup survival', 'tab survival backups'], 'before the tab, as it was typed');
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

t.test('finds no more than asked for, in all groups together', (t) => {
  const all = GROUPS.flatMap(({ actions }) => actions);
  const found = (limit: number) => findActions('', GROUPS, limit).flatMap(({ actions }) => actions);
  t.same(found(all.length - 1), all.slice(0, -1));
  t.same(found(1), all.slice(0, 1), 'the other groups are left out');
  t.end();
});

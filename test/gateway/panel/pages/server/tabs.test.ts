import t from 'tap';
import type { TabProps } from '../../../../../gateway/panel/src/pages/server/tab-props.ts';
import { FIRST_TAB, TABS, tabsFor } from '../../../../../gateway/panel/src/pages/server/tabs.ts';

const tabsOf = (role: TabProps['session']['role'], software: object | undefined) =>
  tabsFor({ instance: {}, session: { role }, software } as TabProps).map(({ tab }) => tab);

t.test('an administrator has every tab that the software has', (t) => {
  t.same(
    tabsOf('admin', { properties: true, mods: {} }),
    TABS.map(({ tab }) => tab),
  );
  t.notOk(tabsOf('admin', { properties: false, mods: {} }).includes('properties'));
  t.notOk(tabsOf('admin', { properties: true }).includes('mods'));
  t.end();
});

t.test('other roles lack tabs that they may not use', (t) => {
  const software = { properties: true, mods: {}, variables: [] };
  t.notOk(tabsOf('operator', software).includes('settings'));
  t.ok(tabsOf('operator', software).includes('backups'));
  t.notOk(tabsOf('viewer', software).includes('backups'));
  t.end();
});

t.test('an operator has settings where the kind lets operators change some', (t) => {
  const kind = (editableBy: string) => ({ variables: [{ editableBy }] });
  t.ok(tabsOf('operator', kind('operator')).includes('settings'));
  t.notOk(tabsOf('operator', kind('admin')).includes('settings'));
  t.notOk(tabsOf('viewer', kind('operator')).includes('settings'));
  t.end();
});

t.test('the first tab is always there', (t) => {
  t.equal(tabsOf('viewer', undefined)[0], FIRST_TAB);
  t.end();
});

import t from 'tap';
import { tabStateOf, tabTitle } from '../../../../gateway/panel/src/shell/tab-state.ts';

t.test('a crash is more important than a start, a start more than a running server', (t) => {
  t.equal(tabStateOf(['running', 'starting', 'crashed']).mark, '✕');
  t.equal(tabStateOf(['running', 'stopping', 'stopped']).mark, '◐');
  t.equal(tabStateOf(['stopped', 'running']).mark, '●');
  t.equal(tabStateOf(['stopped', 'sleeping']).mark, '○');
  t.equal(tabStateOf([]).mark, '○');
  t.end();
});

t.test('each state has its own colour', (t) => {
  const colours = (['crashed', 'starting', 'running', 'stopped'] as const).map((phase) => tabStateOf([phase]).color);
  t.equal(new Set(colours).size, 4);
  t.end();
});

t.test('the title counts running servers and names the page', (t) => {
  t.equal(tabTitle(['running', 'stopped'], 'Survival: Console'), '● 1/2 Survival: Console · Gamekeeper');
  t.equal(tabTitle(['crashed'], undefined), '✕ 0/1 Gamekeeper');
  t.equal(tabTitle(undefined, 'Users'), 'Users · Gamekeeper');
  t.equal(tabTitle(undefined, undefined), 'Gamekeeper');
  t.end();
});

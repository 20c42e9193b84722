import { styleText } from 'node:util';
import t from 'tap';
import { table } from '../../../../daemon/cli/terminal/table.ts';

t.test('columns are as wide as their content, without counting colours', (t) => {
  const rows = [
    { name: styleText('green', 'long name', { validateStream: false }), count: '7' },
    { name: 'x', count: '1000' },
  ];
  const text = table(
    [
      { title: 'NAME', cell: ({ name }) => name },
      { title: 'N', cell: ({ count }) => count, align: 'right' },
      { title: 'END', cell: () => '' },
    ],
    rows,
  );
  t.same(text.split('\n'), ['NAME          N  END', `${rows[0]?.name}     7`, 'x          1000']);
  t.end();
});

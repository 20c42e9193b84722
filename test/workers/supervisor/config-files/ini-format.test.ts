import t from 'tap';
import { iniFormat } from '../../../../workers/supervisor/config-files/ini-format.ts';

t.test('a line of thousands of spaces takes no longer than another one', async (t) => {
  const began = performance.now();
  const line = `.${' '.repeat(200_000)}`;
  t.equal(
    await iniFormat.apply(`${line}\nport  =  1\n`, [{ key: 'port', value: '2', type: 'text' }]),
    `${line}\nport  =  2\n`,
  );
  t.ok(performance.now() - began < 5_000, 'it took minutes');
});

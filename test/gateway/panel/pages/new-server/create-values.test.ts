import t from 'tap';
import { DEFAULTS, toCreateRequest } from '../../../../../gateway/panel/src/pages/new-server/create-values.ts';

t.test('empty fields are left to the daemon', (t) => {
  t.same(toCreateRequest({ ...DEFAULTS, software: 'paper', name: ' Survival ' }), {
    software: 'paper',
    name: 'Survival',
    memoryMb: 2_048,
  });
  t.end();
});

t.test('filled fields are sent, memory in MiB', (t) => {
  const values = { ...DEFAULTS, name: 'x', version: ' 1.21.4', memoryGb: 1.5, port: 25_570, acceptEula: true };
  t.match(toCreateRequest(values), { version: '1.21.4', memoryMb: 1_536, port: 25_570, acceptEula: true });
  t.end();
});

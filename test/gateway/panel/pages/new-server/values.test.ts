import t from 'tap';
import { DEFAULTS, toCreateRequest } from '../../../../../gateway/panel/src/pages/new-server/create-values.ts';
import { nameOf, sourceOf, toImportRequest } from '../../../../../gateway/panel/src/pages/new-server/import-values.ts';

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

const VALUES = { path: '/srv/x', name: ' Survival ', software: 'paper', version: '', acceptEula: false };
const CERTAIN = { value: 'paper', from: 'paper.jar', sure: 'certain' as const };

t.test('a path is a ZIP or a folder by its ending', (t) => {
  t.same(sourceOf('/srv/Old world.ZIP'), { archive: '/srv/Old world.ZIP' });
  t.same(sourceOf('/srv/zip'), { directory: '/srv/zip' });
  t.end();
});

t.test('suggests the name of the folder or ZIP', (t) => {
  t.equal(nameOf('/srv/survival/'), 'survival');
  t.equal(nameOf('C:\\Servers\\Creative'), 'Creative');
  t.equal(nameOf('/srv/Old world.zip'), 'Old world');
  t.equal(nameOf('/'), '');
  t.end();
});

t.test('sends only values that were not found', (t) => {
  t.same(toImportRequest(VALUES, { software: CERTAIN }), { name: 'Survival' });
  t.same(toImportRequest({ ...VALUES, version: ' 1.21.4 ', acceptEula: true }, {}), {
    name: 'Survival',
    software: 'paper',
    version: '1.21.4',
    acceptEula: true,
  });
  t.same(toImportRequest({ ...VALUES, software: '' }, {}), { name: 'Survival' });
  t.end();
});

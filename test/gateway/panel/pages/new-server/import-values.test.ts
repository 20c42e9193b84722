import t from 'tap';
import { nameOf, sourceOf, toImportRequest } from '../../../../../gateway/panel/src/pages/new-server/import-values.ts';

const VALUES = { path: '/srv/x', name: ' Survival ', software: 'paper', version: '', acceptEula: false };
const CERTAIN = { value: 'paper', from: 'paper.jar', sure: 'certain' as const };

t.test('a path is an archive or a folder by its ending', (t) => {
  t.same(sourceOf('/srv/Old world.ZIP'), { archive: '/srv/Old world.ZIP' });
  t.same(sourceOf('/srv/Pack.mrpack'), { archive: '/srv/Pack.mrpack' });
  t.same(sourceOf('/srv/zip'), { directory: '/srv/zip' });
  t.end();
});

t.test('suggests the name of the folder or ZIP', (t) => {
  t.equal(nameOf('/srv/survival/'), 'survival');
  t.equal(nameOf('C:\\Servers\\Creative'), 'Creative');
  t.equal(nameOf('/srv/Old world.zip'), 'Old world');
  t.equal(nameOf('/srv/Pack-1.mrpack'), 'Pack-1');
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

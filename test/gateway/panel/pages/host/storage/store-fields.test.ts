import t from 'tap';
import {
  STORE_FIELDS,
  type Store,
  toStore,
} from '../../../../../../gateway/panel/src/pages/host/storage/store-fields.ts';

t.test('a store has the fields of its kind, trimmed and without empty ones', (t) => {
  const typed = {
    name: ' NAS ',
    host: 'nas ',
    port: '2222',
    username: 'me',
    directory: '/b',
    hostKey: 'x',
    bucket: 'y',
  };
  t.same(toStore('sftp', { ...typed, password: '', privateKey: '  ' }), {
    kind: 'sftp',
    name: 'NAS',
    host: 'nas',
    port: 2_222,
    username: 'me',
    directory: '/b',
    hostKey: 'x',
  });
  t.end();
});

t.test('an edited store keeps fields that the form lacks, and loses emptied ones', (t) => {
  const before = {
    kind: 's3',
    name: 'Cloud',
    region: 'eu',
    bucket: 'b',
    prefix: 'p',
    forcePathStyle: true,
  } as unknown as Store;
  const typed = {
    name: 'Cloud',
    region: 'us',
    bucket: 'b',
    prefix: '',
    accessKeyId: 'id',
    secretAccessKey: '********',
  };
  const store = toStore('s3', typed, before) as unknown as Record<string, unknown>;
  t.match(store, { region: 'us', forcePathStyle: true, secretAccessKey: '********' });
  t.notOk('prefix' in store);
  t.same(toStore('folder', { name: 'Disk', directory: '/mnt' }, before), {
    kind: 'folder',
    name: 'Disk',
    directory: '/mnt',
  });
  t.end();
});

t.test('secrets are typed into password fields', (t) => {
  const secrets = Object.values(STORE_FIELDS).flatMap((fields) =>
    fields.filter(({ secret }) => secret).map(({ name }) => name),
  );
  t.same(new Set(secrets), new Set(['secretAccessKey', 'password', 'privateKey', 'passphrase']));
  t.end();
});

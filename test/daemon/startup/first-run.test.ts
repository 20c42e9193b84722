import path from 'node:path';
import t from 'tap';
import { chosenPassword, firstAdmin } from '../../../daemon/startup/first-run.ts';
import { welcome } from '../../../daemon/startup/welcome.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { verifyPassword } from '../../../shared/node/passwords/password-hash.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

t.test('the first administrator gets a password that is shown once and must be changed', async (t) => {
  using store = openStore(path.join(temporaryFolder(t), 'db'));
  const admin = await firstAdmin(store.users, {});
  t.match(admin?.shown, { username: 'admin', password: /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/ });
  t.equal(store.users.count(), 0, 'no user exists before the password was shown');
  admin?.save();
  const user = store.users.find('admin');
  t.match(user, { role: 'admin', mustChangePassword: true });
  t.equal(await verifyPassword(admin?.shown.password ?? '', user?.passwordHash), true);
  t.equal(await firstAdmin(store.users, {}), undefined, 'only on a first run');

  const text = welcome({ panel: 'http://127.0.0.1:1', admin, running: [], isService: false });
  t.match(text, /^Gamekeeper is ready: http:\/\/127\.0\.0\.1:1$/m);
  t.match(text, admin?.shown.password ?? 'never');
  t.match(
    text,
    /npx gamekeeper create --software demo --name Demo\n\s+npx gamekeeper start demo\n\s+npx gamekeeper console demo/,
  );
});

t.test('a password from the environment need not be changed', async (t) => {
  using store = openStore(path.join(temporaryFolder(t), 'db'));
  const admin = await firstAdmin(store.users, { GAMEKEEPER_ADMIN_PASSWORD: 'correct horse' });
  admin?.save();
  t.same(admin?.shown, { username: 'admin' });
  t.match(store.users.find('admin'), { mustChangePassword: false });
  t.equal(await verifyPassword('correct horse', store.users.find('admin')?.passwordHash), true);
  t.notMatch(welcome({ panel: null, admin, running: [], isService: false }), /correct horse/);
  t.equal(await firstAdmin(store.users, { GAMEKEEPER_ADMIN_PASSWORD: 'x' }), undefined, 'unused, so not validated');
  t.throws(() => chosenPassword({ GAMEKEEPER_ADMIN_PASSWORD: 'short' }), { message: /8 to 256/, exitCode: 2 });
  t.equal(chosenPassword({}), undefined);
});

t.test('later starts print one line and the servers that still run', (t) => {
  t.equal(
    welcome({ panel: 'http://h', admin: undefined, running: ['Demo', 'Hub'], isService: false }),
    'Gamekeeper is ready: http://h\nStill running: Demo, Hub.',
  );
  t.match(
    welcome({ panel: null, admin: undefined, running: [], isService: false }),
    /^Gamekeeper is ready\. Remote Control is off/,
  );
  t.end();
});

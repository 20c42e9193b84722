import { join } from 'node:path';
import t, { type Test } from 'tap';
import { lockFileFaults } from '../../packaging/lock-file.ts';

function lockFile(t: Test, packages: object): string {
  return join(t.testdir({ 'package-lock.json': JSON.stringify({ packages }) }), 'package-lock.json');
}

t.test('a lock file with every optional package, here or above, has no faults', async (t) => {
  const file = lockFile(t, {
    '': { name: 'x' },
    'node_modules/@a/tool': { version: '1.0.0', optionalDependencies: { '@a/linux': '1.0.0', '@a/mac': '1.0.0' } },
    'node_modules/@a/tool/node_modules/@a/linux': { version: '1.0.0' },
    'node_modules/@a/mac': { version: '1.0.0' },
  });
  t.same(await lockFileFaults(file), []);
});

t.test('a missing optional package is reported', async (t) => {
  const file = lockFile(t, {
    '': { name: 'x' },
    'node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-mac': '1.0.0' } },
    'node_modules/other/node_modules/tool-mac': { version: '1.0.0' },
  });
  t.match(await lockFileFaults(file), [/node_modules\/tool needs tool-mac, which is missing$/]);
});

t.test('the address of a registry is reported', async (t) => {
  const file = lockFile(t, {
    'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a-1.0.0.tgz' },
  });
  t.match(await lockFileFaults(file), [
    /node_modules\/a contains the address of a registry: https:\/\/registry\.example/,
  ]);
});

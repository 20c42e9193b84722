import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { requireProgram, requireRoot } from '../../../support/machine/system-packages.ts';

const FIXTURE = path.join(import.meta.dirname, '../../../fixtures/srv-lookup.ts');

t.test('a name without a port leads where its SRV record says, as in Minecraft', async (t) => {
  if (!requireRoot(t) || !requireProgram(t, 'ip', 'iproute2')) return;
  const network = `gamekeeper-dns-${process.pid}`;
  // ip-netns(8): in the network, these files are those of /etc.
  const etc = path.join('/etc/netns', network);
  mkdirSync(etc, { recursive: true });
  t.teardown(() => rmSync(etc, { recursive: true }));
  writeFileSync(path.join(etc, 'resolv.conf'), 'nameserver 127.0.0.1\n');
  const ip = (...args: string[]) => execFileSync('ip', args);
  ip('netns', 'add', network);
  t.teardown(() => ip('netns', 'delete', network));
  ip('-n', network, 'link', 'set', 'lo', 'up');

  const names = [
    'play.example.test',
    'play.example.test:25600',
    'plain.example.test',
    '203.0.113.9',
    'missing.example.test',
  ];
  const { stdout } = await promisify(execFile)('ip', [
    ...['netns', 'exec', network],
    process.execPath,
    FIXTURE,
    ...names,
  ]);
  t.same(JSON.parse(stdout), [
    { ip: '203.0.113.7', port: 25_570 },
    { ip: '203.0.113.1', port: 25_600 },
    { ip: '203.0.113.2', port: 25_565 },
    { ip: '203.0.113.9', port: 25_565 },
    'ENOTFOUND',
  ]);
});

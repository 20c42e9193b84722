import { randomBytes } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import t from 'tap';
import { readabilityOf } from '../../../../workers/files/masking/readability.ts';

t.test('tells what can be shown of a file from its name and beginning', (t) => {
  const text = Buffer.from('name: x\n');
  t.equal(readabilityOf('config.yml', text), 'text');
  t.equal(readabilityOf('config.yml', Buffer.alloc(0)), 'text');
  for (const name of ['forwarding.secret', 'id_ed25519', 'store.p12', 'tokens.json'])
    t.equal(readabilityOf(name, text), 'hidden', name);
  t.equal(readabilityOf('config.yml', Buffer.from('\ufeffpassword: x', 'utf16le')), 'hidden');
  t.equal(readabilityOf('1.log.gz', gzipSync(text)), 'compressed');
  t.equal(readabilityOf('world.zst', zstdCompressSync(text)), 'compressed');
  t.equal(readabilityOf('r.0.0.mca', randomBytes(8_192)), 'binary');
  t.equal(
    readabilityOf('latest.log', Buffer.from(`${'a line\n'.repeat(100)}\0\0`)),
    'text',
    'a player may bring a NUL',
  );
  t.end();
});

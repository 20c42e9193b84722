import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { ArchiveFile } from '../../../../workers/pool/archive/archive-file.ts';
import { createZip } from '../../../../workers/pool/archive/zip-writer.ts';
import { openArchive, ownArchiveRules } from '../../../../workers/pool/extract/open-archive.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

/** More entries than two bytes can count (APPNOTE.TXT 4.4.22). */
const ENTRIES = 65_600;

t.test('more entries than a plain ZIP can count are archived and restored', async (t) => {
  if (!requireProgram(t, 'unzip', 'unzip')) return;
  const file = path.join(temporaryFolder(t), 'a.zip');
  const written = await ArchiveFile.create(file);
  const zip = createZip(written);
  const head = { mode: 0o644, modified: new Date(1_795_000_000_000) };
  for (let n = 0; n < ENTRIES; n++) await zip.file({ ...head, name: `file-${n}` }, Buffer.alloc(0), false);
  await zip.finish();
  t.match(execFileSync('unzip', ['-tq', file], { encoding: 'utf8' }), /No errors detected/);
  const handle = await open(file);
  t.teardown(() => handle.close());
  const archive = await openArchive(handle, ownArchiveRules(0));
  t.equal(archive.entries.length, ENTRIES);
  t.equal((await handle.stat()).size, written.size);
});

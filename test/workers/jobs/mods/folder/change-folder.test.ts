import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { changeFolder } from '../../../../../workers/jobs/mods/folder/change-folder.ts';
import type { Put, WaitingChange } from '../../../../../workers/jobs/mods/waiting-changes.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

const sha512 = (content: string) => createHash('sha512').update(content).digest('hex');
const put = (file: string, content: string) => ({ file, sha512: sha512(content) }) as Put;
const gone = (file: string, content: string) => ({ file, sha512: sha512(content) });

/** A folder with two files, and a function that changes it; `cached` names the downloaded files. */
function setup(t: Test, cached: string[] = ['new', 'other']) {
  const folder = temporaryFolder(t);
  const cache = temporaryFolder(t);
  for (const content of cached) writeFileSync(path.join(cache, content), content);
  const sources = new Map(['new', 'other'].map((content) => [sha512(content), path.join(cache, content)]));
  writeFileSync(path.join(folder, 'a.jar'), 'old');
  writeFileSync(path.join(folder, 'b.jar'), 'theirs');
  const look = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  const change = (what: WaitingChange, signal = AbortSignal.timeout(120_000)) =>
    changeFolder({ folder, change: what, sources }, signal);
  return { look, change };
}
const BEFORE = { 'a.jar': 'old', 'b.jar': 'theirs' };

t.test('removed files are kept until the change is final', async (t) => {
  const { look, change } = setup(t);
  const finish = await change({ removes: [gone('a.jar', 'old')], puts: [put('a.jar', 'new'), put('c.jar', 'other')] });
  t.same(look(), { ...BEFORE, 'a.jar': 'new', 'c.jar': 'other', 'a.jar.gamekeeper-old': 'old' });
  await finish();
  t.same(look(), { ...BEFORE, 'a.jar': 'new', 'c.jar': 'other' });
});

t.test('a change that fails halfway leaves the folder as it was', async (t) => {
  const missing = setup(t, ['new']);
  await t.rejects(
    missing.change({ removes: [gone('a.jar', 'old')], puts: [put('a.jar', 'new'), put('c.jar', 'other')] }),
    {
      code: 'ENOENT',
    },
  );
  t.same(missing.look(), BEFORE, 'unchanged after a failed copy');

  const twice = setup(t);
  const removes = [gone('a.jar', 'old'), gone('a.jar', 'old')];
  await t.rejects(twice.change({ removes, puts: [put('a.jar', 'new')] }), { code: 'ENOENT' });
  t.same(twice.look(), BEFORE, 'unchanged after a failed rename');

  const aborted = setup(t);
  await t.rejects(
    aborted.change({ removes: [gone('a.jar', 'old')], puts: [put('c.jar', 'new')] }, AbortSignal.abort()),
  );
  t.same(aborted.look(), BEFORE, 'unchanged after a cancellation');
});

t.test('a folder that has changed since the plan is not touched', async (t) => {
  const { look, change } = setup(t);
  for (const what of [
    { removes: [gone('a.jar', 'another')], puts: [] },
    { removes: [gone('gone.jar', 'x')], puts: [] },
    { removes: [], puts: [put('A.jar', 'new')] },
  ])
    await t.rejects(change(what), { code: 'mod_conflict', message: /has changed since the change was planned/ });
  t.same(look(), BEFORE);
});

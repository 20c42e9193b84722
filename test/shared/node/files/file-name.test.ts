import fc from 'fast-check';
import t from 'tap';
import { bytesOf, nameOf, nameOfLatin1, shownName } from '../../../../shared/node/files/file-name.ts';

t.test('every name can be turned back into its bytes, also through JSON and another thread', async () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string({ unit: 'grapheme' }), (raw, folder) => {
      const file = `${folder}/${nameOf(Buffer.from(raw))}`;
      const carried = structuredClone(JSON.parse(JSON.stringify(file)) as string);
      return Buffer.concat([Buffer.from(`${folder}/`), raw]).equals(Buffer.from(bytesOf(carried)));
    }),
  );
});

t.test('names that are text stay unchanged, others are shown as in a URL', async (t) => {
  t.equal(nameOf(Buffer.from('café 🎮.txt')), 'café 🎮.txt');
  for (const raw of [Buffer.from('server.properties'), Buffer.from('café 🎮.txt'), Buffer.from('caf\xe9', 'latin1')])
    t.equal(nameOfLatin1(raw.toString('latin1')), nameOf(raw));
  t.equal(bytesOf('café 🎮.txt'), 'café 🎮.txt');
  t.equal(shownName('100% café 🎮'), '100% café 🎮');
  t.equal(shownName(`ordner/${nameOf(Buffer.from('caf\xe9.txt', 'latin1'))}`), 'ordner/caf%E9.txt');
});

t.test('no surrogate becomes a slash, a dot or a NUL', async (t) => {
  for (const name of ['\udc2e\udc2e', 'a\udc2fb', '\udc00', '\ud800', '\udfff', 'a\udbff']) {
    t.throws(() => bytesOf(name), { code: 'EILSEQ' });
    t.match(shownName(name), '\ufffd');
  }
});

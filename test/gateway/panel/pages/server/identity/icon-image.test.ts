import t from 'tap';
import { imageType } from '../../../../../../gateway/panel/src/pages/server/identity/icon-image.ts';

t.test('the type of an image is what its first bytes say', async (t) => {
  const typeOf = (text: string) => imageType(Buffer.from(text, 'latin1'));
  t.equal(typeOf('\x89PNG\r\n\x1a\n\0\0\0\r'), 'image/png');
  t.equal(typeOf('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg');
  t.equal(typeOf('GIF89a\x01\0\x01\0'), 'image/gif');
  t.equal(typeOf('RIFF\n\x01\0\0WEBP'), 'image/webp');
  t.equal(typeOf('RIFF\x24\0\0\0WAVE'), undefined);
  t.equal(typeOf('<svg xmlns="'), undefined, 'it could contain scripts');
  t.equal(typeOf(''), undefined);
});

import { createRequire } from 'node:module';
import path from 'node:path';
import t from 'tap';
import { uploadProblem } from '../../../../../gateway/panel/src/api/uploads/resumable-upload.ts';

/** The panel has its own copy of the library, with its own classes. */
const panel = createRequire(path.join(import.meta.dirname, '../../../../../gateway/panel/package.json'));
const { DetailedError } = panel('tus-js-client') as typeof import('tus-js-client');

t.test('an upload without an answer shows that Gamekeeper cannot be reached', async (t) => {
  const lost = new DetailedError('tus: failed to upload chunk', new Error('socket hang up'));
  t.match(await uploadProblem(lost), { status: 0, code: 'unreachable' });
});

t.test('an error of the browser itself is shown as it is', async (t) => {
  t.match(await uploadProblem(new Error('The file could not be read.')), {
    code: 'internal',
    message: 'The file could not be read.',
  });
});

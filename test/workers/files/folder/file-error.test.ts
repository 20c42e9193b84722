import t from 'tap';
import { explained } from '../../../../workers/files/folder/file-error.ts';

const EXPECTED = {
  ENOENT: 'file_not_found',
  EEXIST: 'file_exists',
  ENOTEMPTY: 'file_exists',
  ENOTDIR: 'invalid_path',
  ELOOP: 'invalid_path',
  EISDIR: 'invalid_path',
  ENAMETOOLONG: 'invalid_path',
  EILSEQ: 'invalid_path',
  EXDEV: 'invalid_path',
  EINVAL: 'invalid_path',
  EACCES: 'invalid_state',
  EPERM: 'invalid_state',
  EROFS: 'invalid_state',
  EBUSY: 'invalid_state',
  ETXTBSY: 'invalid_state',
  EIO: 'invalid_state',
  ESTALE: 'worker_unavailable',
  EFBIG: 'insufficient_storage',
  EMLINK: 'insufficient_storage',
  ENOSPC: 'insufficient_storage',
  EDQUOT: 'insufficient_storage',
  EMFILE: 'worker_unavailable',
};

t.test('each error of the file system has a clear answer', async (t) => {
  for (const [code, expected] of Object.entries(EXPECTED)) {
    const error = Object.assign(new Error(code), { code });
    const failing = () => {
      throw error;
    };
    t.throws(() => explained('plugins/a.jar', failing), { code: expected, cause: error }, code);
    await t.rejects(
      explained('plugins/a.jar', async () => failing()),
      { code: expected },
    );
  }
});

t.test('an answer names the path, and an unknown error stays as it is', async (t) => {
  const busy = Object.assign(new Error('x'), { code: 'EBUSY' });
  await t.rejects(
    explained('world/region', () => Promise.reject(busy)),
    { message: /^"world\/region" is in use/, resolution: /unmount/ },
  );
  const other = new Error('other');
  await t.rejects(
    explained('a', () => Promise.reject(other)),
    { message: 'other' },
  );
});

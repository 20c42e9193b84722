import t from 'tap';
import { waitForDiskSpace } from '../../../daemon/startup/wait-for-disk-space.ts';

const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

t.test('a start that finds the disk full is repeated until there is space, and this is printed once', async (t) => {
  const failures = [full(), new Error('The database cannot be used.', { cause: full() })];
  const said: string[] = [];
  let tries = 0;
  const run = async () => {
    tries++;
    const failure = failures.shift();
    if (failure) throw failure;
  };
  await waitForDiskSpace(run, { print: (text) => said.push(text), tryEveryMs: 1 });
  t.equal(tries, 3);
  t.match(said, [/disk .* is full\..*starts automatically/s]);
  t.equal(said.length, 1);
});

t.test('any other failure is thrown, and so is a full disk once the daemon is ready', async (t) => {
  const print = () => t.fail('asked to free disk space');
  const refuse = () => Promise.reject(new Error('The port is taken.'));
  await t.rejects(waitForDiskSpace(refuse, { print }), { message: 'The port is taken.' });
  const fillsUp = (onReady: () => void) => {
    onReady();
    return Promise.reject(full());
  };
  await t.rejects(waitForDiskSpace(fillsUp, { print }), { code: 'ENOSPC' });
});

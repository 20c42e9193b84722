import t from 'tap';
import { fromCodedFailure, GamekeeperError, toCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';

t.test('an error crosses a process boundary completely', async (t) => {
  const error = new GamekeeperError('port_in_use', 'Port 25565 is held by java (pid 7).', {
    retryAfterSeconds: 3,
    otherInstance: { id: 'other', detail: 'It is held by "other".', resolution: 'Stop "other".' },
    errors: [{ field: 'port', rule: 'taken', detail: 'is taken' }],
  });
  const crossed = fromCodedFailure(JSON.parse(JSON.stringify(toCodedFailure(error))));
  t.match(crossed, {
    code: 'port_in_use',
    status: 409,
    message: error.message,
    resolution: error.resolution,
    retryAfterSeconds: 3,
    otherInstance: error.otherInstance,
    errors: error.errors,
  });
});

t.test('a foreign error crosses without its message', async (t) => {
  const failure = toCodedFailure(new Error('ENOENT /home/steve/secret'));
  t.equal(failure.code, 'internal_error');
  t.notMatch(JSON.stringify(failure), /steve/);
});

t.test('an unknown code becomes internal_error and keeps its detail', async (t) => {
  const received = (code: string) =>
    fromCodedFailure(JSON.parse(JSON.stringify({ code, detail: 'Said so.', resolution: 'Do.' })));
  t.match(received('from_the_future'), { code: 'internal_error', message: 'Said so.' });
  t.match(received('toString'), { code: 'internal_error' }, 'inherited names are not error codes');
});

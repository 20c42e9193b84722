import t from 'tap';
import { ERRORS } from '../../../shared/errors/catalogue.ts';
import { toErrorResponse } from '../../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

t.test('every code has a status, a title and a resolution', async (t) => {
  for (const code of Object.keys(ERRORS) as (keyof typeof ERRORS)[]) {
    const response = toErrorResponse(new GamekeeperError(code, 'Detail.'), 'http://127.0.0.1:25580');
    t.equal(response.type, `http://127.0.0.1:25580/docs/errors#${code}`);
    t.ok(response.status >= 400 && response.title && response.resolution, code);
  }
});

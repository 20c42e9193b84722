import t from 'tap';
import {
  asProblem,
  Problem,
  problemOf,
  UNREACHABLE,
  unreachable,
} from '../../../../../gateway/panel/src/api/transport/problem.ts';

const ERROR = { status: 409, code: 'invalid_state', title: 'Conflict', detail: 'It runs.', resolution: 'Stop it.' };

t.test("a refused request becomes a problem with the daemon's words and the request's id", async (t) => {
  const headers = { 'x-request-id': 'req-1' };
  const problem = await problemOf(new Response(JSON.stringify(ERROR), { status: 409, headers }));
  t.type(problem, Problem);
  t.match(problem, { ...ERROR, detail: undefined, message: 'It runs.', requestId: 'req-1' });
});

t.test("a proxy's error page becomes a problem with the status", async (t) => {
  const page = new Response('<html>', { status: 502, statusText: 'Bad Gateway' });
  t.match(await problemOf(page), { status: 502, code: 'unknown', title: 'Bad Gateway', requestId: undefined });
  t.match(await problemOf(new Response('', { status: 503 })), { title: 'Status 503' });
  t.match(await problemOf(new Response('{"error": 1}', { status: 500 })), { code: 'unknown' });
});

t.test('a request without a response is unreachable', (t) => {
  t.match(unreachable(), { status: 0, code: UNREACHABLE });
  t.end();
});

t.test('any thrown value can be shown', (t) => {
  const problem = unreachable();
  t.equal(asProblem(problem), problem);
  t.match(asProblem(new TypeError('oops')), { code: 'internal', message: 'oops' });
  t.match(asProblem('oops'), { code: 'internal', message: 'oops' });
  t.end();
});

import t from 'tap';
import { createWorkPlaces, type Worker } from '../../../gateway/work/work-places.ts';
import { WORK } from '../../../gateway/work/work-table.ts';
import { SCOPES, type Scope } from '../../../shared/domain/access/scope.ts';

const limits = { ...WORK, drill: { what: 'drills', perUser: 3, onInstance: { perUser: 1, all: 2 }, total: 4 } };

function worker(credential: string, instance: string | undefined, more: Partial<Worker['identity']> = {}): Worker {
  const scopes = new Set<Scope>(['backups:create']);
  return { identity: { kind: 'token', role: 'admin', username: 'ann', credential, scopes, ...more }, instance };
}

t.test('there are places for each credential, on each instance, and in total', (t) => {
  const places = createWorkPlaces(limits);
  const take = (credential: string, instance: string) => places.take('drill', worker(credential, instance));
  const leave = take('a', 'one');
  t.throws(() => take('a', 'one'), {
    code: 'rate_limited',
    message: '1 drills are under way of this credential on this server, which is the limit.',
  });
  take('b', 'one');
  t.throws(() => take('c', 'one'), { message: /on this server/ }, 'the instance is full');
  take('a', 'two');
  t.equal(places.taken, 3);
  take('a', 'three');
  t.throws(() => take('a', 'four'), { message: /of this credential/ }, 'the credential has enough');
  t.throws(() => take('d', 'four'), { message: /in total/, retryAfterSeconds: 10 });
  leave();
  leave();
  t.equal(places.taken, 3, 'a place is given back once');
  take('c', 'one');
  t.end();
});

t.test('administrators with every scope have places of their own, and the local administrator needs none', (t) => {
  const places = createWorkPlaces(limits);
  for (const credential of ['a', 'b', 'c', 'd']) places.take('drill', worker(credential, credential));
  t.throws(() => places.take('drill', worker('e', 'e')), { message: /in total/ });
  const all = new Set(SCOPES);
  t.throws(() => places.take('drill', worker('e', 'e', { role: 'operator', scopes: all })), { code: 'rate_limited' });
  places.take('drill', worker('e', 'a', { scopes: all }));
  t.throws(() => places.take('drill', worker('e', 'a', { scopes: all })), { code: 'rate_limited' });
  for (let n = 0; n < 10; n++) places.take('drill', worker('local', 'a', { kind: 'local' }));
  t.end();
});

t.test('the sessions of a user count together', (t) => {
  const places = createWorkPlaces(limits);
  const session = (credential: string, username: string) => worker(credential, 'one', { kind: 'session', username });
  places.take('drill', session('session:1', 'Bob'));
  t.throws(() => places.take('drill', session('session:2', 'bob')), { message: /of this credential on this server/ });
  places.take('drill', session('session:3', 'carol'));
  t.end();
});

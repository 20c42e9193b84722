import t from 'tap';
import { hashPassword, verifyPassword } from '../../../shared/node/password-hash.ts';

t.test('a password fits its own hash and no other, and every hash has a salt of its own', async (t) => {
  const hash = await hashPassword('correct horse');
  t.match(hash, /^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
  t.not(hash, await hashPassword('correct horse'));
  t.equal(await verifyPassword('correct horse', hash), true);
  t.equal(await verifyPassword('Correct horse', hash), false);
});

t.test('the same characters typed another way are the same password', async (t) => {
  const hash = await hashPassword('caf\u00e9 au lait');
  t.equal(await verifyPassword('cafe\u0301 au lait', hash), true);
});

t.test('a user who does not exist costs the same work and is never right', async (t) => {
  t.equal(await verifyPassword('', undefined), false);
  t.equal(await verifyPassword('anything', undefined), false);
});

t.test('what is no hash of ours is refused aloud', async (t) => {
  for (const stored of ['', 'plain', 'bcrypt$1$2$3$a$b', 'scrypt$x$8$1$a$b', 'scrypt$16384$8$1$a$'])
    await t.rejects(verifyPassword('x', stored), stored);
});

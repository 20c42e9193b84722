import t from 'tap';
import { hashPassword, verifyPassword } from '../../../../shared/node/passwords/password-hash.ts';

t.test('a password matches only its own hash, and every hash has its own salt', async (t) => {
  const hash = await hashPassword('correct horse');
  t.match(hash, /^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
  t.not(hash, await hashPassword('correct horse'));
  t.equal(await verifyPassword('correct horse', hash), true);
  t.equal(await verifyPassword('Correct horse', hash), false);
});

t.test('the same characters encoded differently are the same password', async (t) => {
  const hash = await hashPassword('caf\u00e9 au lait');
  t.equal(await verifyPassword('cafe\u0301 au lait', hash), true);
});

t.test('an unknown user takes the same work and never matches', async (t) => {
  t.equal(await verifyPassword('', undefined), false);
  t.equal(await verifyPassword('anything', undefined), false);
});

t.test('an invalid stored hash throws', async (t) => {
  for (const stored of ['', 'plain', 'bcrypt$1$2$3$a$b', 'scrypt$x$8$1$a$b', 'scrypt$16384$8$1$a$'])
    await t.rejects(verifyPassword('x', stored), stored);
});

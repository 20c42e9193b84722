import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP Password Storage Cheat Sheet, scrypt: N=2^14, r=8, p=5. 16 MiB and about 0.15 s for each attempt. */
const COST: Cost = { N: 2 ** 14, r: 8, p: 5 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Memory that a stored hash may ask for; scrypt needs 128 * N * r bytes and a little. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

interface Cost {
  N: number;
  r: number;
  p: number;
}

interface StoredHash {
  cost: Cost;
  salt: Buffer;
  hash: Buffer;
}

/** `scrypt$N$r$p$<salt>$<hash>`, both base64url, with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, { salt, cost: COST, bytes: HASH_BYTES });
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * True when `password` is the one that `stored` was made of; compared in constant time. Without `stored` (no such user) the
 * answer is false after the same work, so that the time tells nothing. Throws when `stored` is not a hash of ours.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const { cost, salt, hash } = stored === undefined ? NOBODY : parse(stored);
  const derived = await derive(password, { salt, cost, bytes: hash.length });
  return timingSafeEqual(derived, hash) && stored !== undefined;
}

const NOBODY: StoredHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };

function parse(stored: string): StoredHash {
  const [name, N, r, p, salt = '', hash = ''] = stored.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const isWhole = name === 'scrypt' && Object.values(cost).every((value) => Number.isSafeInteger(value) && value > 0);
  if (!isWhole || hash === '') throw new Error('a stored password hash is not of the form scrypt$N$r$p$salt$hash');
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

/** NFKC first (NIST SP 800-63B, 3.1.1.2), so that the same characters typed on another system are the same password. */
function derive(password: string, { salt, cost, bytes }: { salt: Buffer; cost: Cost; bytes: number }): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

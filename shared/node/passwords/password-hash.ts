import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP Password Storage Cheat Sheet, scrypt: N=2^14, r=8, p=5. Takes 16 MiB and about 0.15 s. */
const COST: Cost = { N: 2 ** 14, r: 8, p: 5 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The most memory that a stored hash may require; scrypt needs a little more than 128 * N * r bytes. */
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

/** Returns `scrypt$N$r$p$<salt>$<hash>`, both base64url, with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, { salt, cost: COST, bytes: HASH_BYTES });
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * Returns whether `password` matches `stored`, in constant time. Without `stored` (no such user) it does the same work and returns false,
 * so that the time reveals nothing. Throws if `stored` is not such a hash.
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

/** Normalised by NFKC (NIST SP 800-63B, 3.1.1.2), because systems encode the same characters differently. */
function derive(password: string, { salt, cost, bytes }: { salt: Buffer; cost: Cost; bytes: number }): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

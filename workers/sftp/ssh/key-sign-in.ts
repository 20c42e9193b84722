import ssh2, { type PublicKeyAuthContext } from 'ssh2';
import type { DaemonClient } from '../../../shared/node/ipc/connect.ts';
import type { SignedIn } from '../access/live-sessions.ts';

/**
 * Returns who may sign in with the key that the client shows. A client first asks whether a key is welcome, without a signature; `isProven` is false
 * then. Returns `undefined` for a key or user that is not known, and for a wrong signature.
 */
export async function checkKey(
  { username, key, signature, blob, hashAlgo }: PublicKeyAuthContext,
  daemon: DaemonClient['call'],
): Promise<{ signedIn: SignedIn; isProven: boolean } | undefined> {
  // Both, whether or not the user exists: the time tells nothing.
  const [user, keys] = await Promise.all([daemon.user(username), daemon.sshKeys(username)]);
  const known = keys.find(({ base64 }) => key.data.equals(Buffer.from(base64, 'base64')));
  if (!user || !known || user.disabled || user.mustChangePassword) return undefined;
  const signedIn = { username: user.username, version: user.version, keyId: known.id };
  if (!signature) return { signedIn, isProven: false };
  const parsed = ssh2.utils.parseKey(`${known.type} ${known.base64}`);
  if (parsed instanceof Error || !blob || parsed.verify(blob, signature, hashAlgo) !== true) return undefined;
  return { signedIn, isProven: true };
}

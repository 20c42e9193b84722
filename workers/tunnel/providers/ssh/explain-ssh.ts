import { errorCode } from '../../../../shared/errors/error-code.ts';
import { UnreadableKeyError } from '../../../../shared/node/ssh/sign-in.ts';
import type { SshTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { TunnelError } from '../provider.ts';

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has no address: the name does not exist, or this computer has no working DNS. Check the host',
  EAI_AGAIN: 'could not be looked up: this computer has no working DNS at the moment',
  ECONNREFUSED: 'refuses connections on this port. Check that its SSH server runs, and the port',
  EHOSTUNREACH: 'cannot be reached from this network',
  ENETUNREACH: 'cannot be reached: this computer has no network',
  ETIMEDOUT: 'does not answer. Check the host, the port and its firewall',
  ECONNRESET: 'closed the connection',
};

/** Puts an error of ssh2 into words for the owner. */
export function explainSsh(
  { host, port, username, password, privateKey }: SshTunnelSettings,
  cause: unknown,
): TunnelError {
  const { level } = cause as { level?: string };
  const where = port === 22 ? host : `${host}, port ${port},`;
  if (cause instanceof UnreadableKeyError)
    return new TunnelError(
      'The private key cannot be read, or its passphrase is wrong. Paste the complete text of the key file.',
      { cause },
    );
  if (level === 'client-authentication') {
    const tried = privateKey !== undefined ? 'private key' : password !== undefined ? 'password' : 'SSH agent';
    return new TunnelError(`${where} does not accept the user ${username} with this ${tried}.`, { cause });
  }
  if (level === 'client-timeout') return new TunnelError(`${where} ${BY_CODE.ETIMEDOUT}.`, { cause });
  if (level === 'handshake' || level === 'protocol')
    return new TunnelError(`${where} is no SSH server, or has no algorithm in common with Gamekeeper.`, { cause });
  const known = BY_CODE[errorCode(cause) ?? ''];
  return new TunnelError(`${where} ${known ?? 'closed the connection'}.`, { cause });
}

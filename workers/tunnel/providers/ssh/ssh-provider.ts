import type { Client } from 'ssh2';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import { fingerprintOf } from '../../../../shared/node/ssh/host-key.ts';
import { signIn } from '../../../../shared/node/ssh/sign-in.ts';
import type { SshTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { type OpenTunnel, type Provider, type ProviderNews, TunnelError } from '../provider.ts';
import { Traffic } from '../traffic.ts';
import { transportOf } from '../transport.ts';
import { explainSsh } from './explain-ssh.ts';
import { forwardConnections } from './forward-connections.ts';

/** A port on the owner's own machine, forwarded by its SSH server (RFC 4254, section 7.1). */
export function createSshProvider(settings: SshTunnelSettings): Provider {
  const { host, bindAddress } = settings;
  /** The pinned key, or the first one that was seen. */
  let hostKey = settings.hostKey?.replace(/=+$/, '');
  /** Kept over a reconnection, so that players find the server again. */
  let { remotePort } = settings;
  const traffic = new Traffic();

  function check(key: Buffer): void {
    const shown = fingerprintOf(key);
    hostKey ??= shown;
    if (shown !== hostKey) throw wrongHostKey(host, shown, hostKey);
  }

  async function open(target: () => TunnelTarget, signal: AbortSignal, { learned }: ProviderNews): Promise<OpenTunnel> {
    if (transportOf(target()) === 'udp')
      throw new TunnelError(
        'This game uses UDP, and an SSH server forwards only TCP. Choose another way, such as frp or playit.gg.',
      );
    const { Client } = (await import('ssh2')).default;
    const client = new Client();
    const abort = () => client.destroy();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await signIn(client, { ...settings, agent: agentOf(settings) }, { check, type: undefined });
      client.setNoDelay(true);
      const lost = new Promise<string>((resolve) => {
        client.once('close', () => resolve(`The connection to ${host} was lost.`));
      });
      const close = async () => {
        client.end();
        await lost;
      };
      forwardConnections(client, target, traffic);
      remotePort = await listenRemotely(client, { bindAddress, remotePort, anyPort: settings.remotePort === 0 });
      signal.throwIfAborted();
      if (hostKey !== undefined && settings.hostKey === undefined) learned({ provider: 'ssh', hostKey });
      return {
        address: { host, port: remotePort },
        advice: `Check that the sshd_config of ${host} has "GatewayPorts clientspecified", and that its firewall lets port ${remotePort} through.`,
        ...(hostKey && { hostKey }),
        lost,
        close,
      };
    } catch (error) {
      client.destroy();
      signal.throwIfAborted();
      throw error instanceof TunnelError ? error : explainSsh(settings, error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  return { name: 'ssh', traffic, open };
}

/** Used if the owner gave neither a password nor a key. */
function agentOf({ password, privateKey }: SshTunnelSettings): string | undefined {
  return password === undefined && privateKey === undefined ? process.env.SSH_AUTH_SOCK : undefined;
}

interface RemotePort {
  bindAddress: string;
  remotePort: number;
  /** True if another port will do. */
  anyPort: boolean;
}

/** Resolves to the port that the server opened. */
async function listenRemotely(client: Client, { bindAddress, remotePort, anyPort }: RemotePort): Promise<number> {
  try {
    return await forwardIn(client, bindAddress, remotePort);
  } catch (error) {
    if (!anyPort || remotePort === 0) throw new TunnelError(portRefused(remotePort), { cause: error });
    return forwardIn(client, bindAddress, 0);
  }
}

function forwardIn(client: Client, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    client.forwardIn(address, port, (error, opened) => (error ? reject(error) : resolve(opened || port)));
  });
}

function portRefused(port: number): string {
  const which = port === 0 ? 'a port' : `port ${port}`;
  return (
    `The SSH server does not open ${which} for this user. Another program may use it, or its settings forbid it: ` +
    'check AllowTcpForwarding, GatewayPorts and PermitListen in its sshd_config.'
  );
}

function wrongHostKey(host: string, shown: string, pinned: string): TunnelError {
  return new TunnelError(
    `${host} shows the host key ${shown}, not ${pinned} as before. If you have not reinstalled it, somebody may be intercepting the connection. If the new key is right, set it as hostKey.`,
  );
}

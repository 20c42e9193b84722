import type { OutsideFailure } from '../../../shared/schema/outside-ping.ts';
import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';

/** What to check about a connection, by what players come through. */
const ADVICE: Readonly<Record<TunnelSettings['provider'], string>> = {
  static: 'Check that its port is forwarded to this computer, and the firewall here.',
  ssh: 'Check that the sshd_config of that machine has "GatewayPorts clientspecified", and its firewall.',
  frp: 'Check the firewall of that machine.',
  playit: 'Wait a minute. If nothing changes, look at this tunnel on playit.gg.',
  relay: 'Wait a minute. If nothing changes, ask the operator of the proxy.',
};

/** Puts into words why the hosted proxy could not connect to a public address, and what to do about it. */
export function explainOutsideFailure(failure: OutsideFailure, provider: TunnelSettings['provider']): string {
  const advice = ADVICE[provider];
  switch (failure) {
    case 'unknown-name':
      return 'The name does not exist in DNS. Check its spelling, or wait until it is known everywhere.';
    case 'private':
      return provider === 'static'
        ? 'This is not an address on the internet. Set the public address of your router.'
        : 'This is not an address on the internet. Set up the tunnel with a public address.';
    case 'refused':
      return `The address is reached from the internet, but refuses connections. ${advice}`;
    case 'closed':
      return `The address is reached from the internet, but closes connections at once. ${advice}`;
    case 'not-minecraft':
      return 'Something else than a Minecraft server answers there. Check where the address leads to.';
    case 'no-answer':
      return `Nothing answers there. ${advice}`;
  }
}

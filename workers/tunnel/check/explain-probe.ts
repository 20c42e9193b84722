import { formatGameAddress, type GameAddress } from '../../../shared/domain/tunnel/game-address.ts';
import { errorCode } from '../../../shared/errors/error-code.ts';
import { ListPingError } from '../../../shared/node/list-ping/list-ping-error.ts';

export const ANOTHER_SERVER =
  'Another server answers at this address. Check where the port is forwarded to, and that no other server uses the address.';

const FORWARDED =
  'Check that its port is forwarded to this computer and no firewall blocks it. Many routers do not let a computer at home use their own public address: then ask a friend to try.';

const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA']);

/** Puts a failed probe into words for the owner. `advice`: what to check, if no router is involved. */
export function explainProbe(address: GameAddress, error: unknown, advice?: string): string {
  const shown = formatGameAddress(address);
  const code = errorCode(error instanceof ListPingError ? (error.cause ?? error) : error) ?? '';
  if (NOT_FOUND.has(code))
    return `The name ${address.host} does not exist in DNS. Check its spelling, or wait until it is known.`;
  if (code === 'EAI_AGAIN') return `The name ${address.host} could not be looked up: this computer has no working DNS.`;
  if (code === 'ECONNREFUSED')
    return `${shown} refuses connections. ${advice ?? 'Check that its port is forwarded to this computer.'}`;
  if (error instanceof ListPingError && error.reason === 'closed')
    return `${shown} closes connections at once. ${advice ?? "Check that its port is forwarded to this server's port."}`;
  if (error instanceof ListPingError && error.reason === 'malformed')
    return `${shown} answers, but it is not a Minecraft server.`;
  return `${shown} does not answer. ${advice ?? FORWARDED}`;
}

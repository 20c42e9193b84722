import { showUnprintable } from '../../../../shared/domain/console/invisible-characters.ts';
import { parseGameAddress } from '../../../../shared/domain/tunnel/game-address.ts';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { ListPingError } from '../../../../shared/node/list-ping/list-ping-error.ts';
import { pingBedrockServer } from '../../../../shared/node/list-ping/ping-bedrock-server.ts';
import { pingServer, type ServerPing } from '../../../../shared/node/list-ping/ping-server.ts';
import { type NumericAddress, resolveAddress } from '../../../../shared/node/list-ping/resolve-address.ts';
import { isPublicAddress } from '../../../../shared/node/public-address.ts';
import type { OutsideFailure, OutsidePing, OutsidePingQuestion } from '../../../../shared/schema/outside-ping.ts';

/** Players give up before. Milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * Pings a server as a player at this machine would. Connects to public addresses only, unless `allowsPrivate`: an account of the proxy must not
 * learn anything about the proxy's own network.
 */
export async function pingFromHere(
  { address: text, edition }: OutsidePingQuestion,
  { allowsPrivate }: { allowsPrivate: boolean },
): Promise<OutsidePing> {
  const address = parseGameAddress(text)!; // checked by the schema
  let numeric: NumericAddress;
  try {
    numeric = await resolveAddress(address, edition);
  } catch {
    return { reachable: false, failure: 'unknown-name' };
  }
  if (!allowsPrivate && !isPublicAddress(numeric.ip)) return { reachable: false, failure: 'private' };
  const ping = edition === 'java' ? pingServer : pingBedrockServer;
  try {
    return shown(await ping({ host: numeric.ip, port: numeric.port, name: address.host, timeoutMs: TIMEOUT_MS }));
  } catch (error) {
    return { reachable: false, failure: failureOf(error) };
  }
}

function shown({ latencyMs, version, online, max }: ServerPing): OutsidePing {
  const pingMs = Math.max(0, Math.round(latencyMs));
  return { reachable: true, pingMs, version: showUnprintable(version), online, max };
}

function failureOf(error: unknown): OutsideFailure {
  if (!(error instanceof ListPingError)) throw error;
  if (error.reason === 'closed') return 'closed';
  if (error.reason === 'malformed') return 'not-minecraft';
  return errorCode(error.cause) === 'ECONNREFUSED' ? 'refused' : 'no-answer';
}

import { totalmem } from 'node:os';
import type { FieldError } from '../../shared/domain/field-error.ts';
import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { Settings } from '../../shared/schema/settings.ts';

const MIB = 1_048_576;
/** Not refused on a smaller machine: a request without a size gets it. */
const DEFAULT_MEMORY_MB = 2_048;

/** What no server can have. */
export interface HostLimits {
  /** The TCP ports that Gamekeeper itself listens on. */
  ownPorts: readonly number[];
  memoryMb: number;
}

/** Returns the limits of this machine. A port that is 0 in the settings is chosen when Gamekeeper starts, so it is not among them. */
export function hostLimits({ remoteControl, sftp }: Settings): HostLimits {
  const { panelPort, enabled, port } = remoteControl;
  const listening = [panelPort, ...(enabled ? [port] : []), ...(sftp.enabled ? [sftp.port] : [])];
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { ownPorts: listening.filter((one) => one !== 0), memoryMb: Math.floor(bytes / MIB) };
}

/** Throws `invalid_request` for a port that can never work. An RCON port that Gamekeeper chose moves out of the way at the next start. */
export function checkGamePort(
  { software, transport, port, rcon }: Pick<InstanceConfig, 'software' | 'transport' | 'port' | 'rcon'>,
  { ownPorts }: HostLimits,
): void {
  if (softwareFor({ software, ...(transport && { transport }) })?.gamePort.transport !== 'tcp') return;
  if (rcon && !rcon.chosen && rcon.port === port)
    throw invalid({
      field: 'port',
      rule: 'taken',
      detail: `${port} is also this server's RCON port. Choose another port, or change rcon.port.`,
    });
  if (ownPorts.includes(port))
    throw invalid({ field: 'port', rule: 'taken', detail: `Gamekeeper itself uses ${port}. Choose another port.` });
}

/** Throws `invalid_request` for more memory than there is. */
export function checkMemory(memoryMb: number, host: HostLimits): void {
  if (memoryMb > Math.max(host.memoryMb, DEFAULT_MEMORY_MB))
    throw invalid({
      field: 'memoryMb',
      rule: 'exceeds_machine',
      limit: host.memoryMb,
      detail: `this machine has only ${host.memoryMb} MB. Choose less, and leave some for the system.`,
    });
}

function invalid(error: FieldError): GamekeeperError {
  return new GamekeeperError('invalid_request', `${error.field}: ${error.detail}`, { errors: [error] });
}

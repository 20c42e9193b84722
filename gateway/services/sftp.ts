import type { SftpState } from '../../shared/schema/sftp.ts';
import type { Daemon } from '../upstream/clients.ts';

export interface SftpService {
  state(): Promise<SftpState>;
}

export function createSftpService({ daemon }: { daemon: Daemon }): SftpService {
  return { state: () => daemon.call.sftp() };
}

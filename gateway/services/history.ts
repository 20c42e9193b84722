import type { History, HistoryRange } from '../../shared/schema/history.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface HistoryService {
  /** Returns the usage over the last hour, day or week. Throws `instance_not_found`. */
  read(id: string, range: HistoryRange): Promise<History>;
}

export function createHistoryService({ daemon, view }: { daemon: Daemon; view: InstanceView }): HistoryService {
  return {
    async read(id, range) {
      await view.get(id);
      return daemon.call.usageHistory({ instanceId: id, range });
    },
  };
}

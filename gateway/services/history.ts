import { type Holder, rightsOn } from '../../shared/domain/access/rights.ts';
import type { History, HistoryRange } from '../../shared/schema/history.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface HistoryService {
  /**
   * Returns the usage over the last hour, day or week. Without the free disk space, which other servers share, for callers who may not read
   * the server's files. Throws `instance_not_found`.
   */
  read(id: string, range: HistoryRange, by: Holder): Promise<History>;
}

export function createHistoryService({ daemon, view }: { daemon: Daemon; view: InstanceView }): HistoryService {
  return {
    async read(id, range, by) {
      await view.get(id);
      const history = await daemon.call.usageHistory({ instanceId: id, range });
      const files = rightsOn(by, id)?.files ?? 'none';
      return files === 'none' ? withoutDisk(history) : history;
    },
  };
}

function withoutDisk(history: History): History {
  return { ...history, points: history.points.map(({ diskFreeBytes: _, ...point }) => point) };
}

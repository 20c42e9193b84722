import { type Holder, rightsOn } from '../../shared/domain/access/rights.ts';
import type { History, HistoryRange } from '../../shared/schema/history.ts';
import { hasRights } from '../auth/access.ts';
import { needsFiles } from '../http/operation.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

const READING_FILES = needsFiles('read');

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
      const rights = rightsOn(by, id);
      return rights && hasRights(READING_FILES, rights) ? history : withoutDisk(history);
    },
  };
}

function withoutDisk(history: History): History {
  return { ...history, points: history.points.map(({ diskFreeBytes: _, ...point }) => point) };
}

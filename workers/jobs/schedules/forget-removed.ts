import type { InstanceEvent } from '../../../shared/contract/daemon/instances.ts';
import type { RunTable } from './run-table.ts';
import type { ScheduleTable } from './schedule-table.ts';

/** What was to be done with instances goes with them, also where nobody was there to see them go. */
export async function forgetRemoved(
  events: AsyncIterable<InstanceEvent>,
  { table, runs, onForgotten }: { table: ScheduleTable; runs: RunTable; onForgotten: () => void },
): Promise<void> {
  function forget(instanceId: string): void {
    table.replace(instanceId, []);
    runs.forget(instanceId);
    onForgotten();
  }

  for await (const event of events) {
    if (event.type === 'removed') forget(event.id);
    if (event.type !== 'snapshot') continue;
    const since = new Map(event.instances.map(({ config }) => [config.id, config.createdAt]));
    for (const { instanceId, instanceSince } of table.all())
      if (since.get(instanceId) !== instanceSince) forget(instanceId);
  }
}

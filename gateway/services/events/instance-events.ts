import { statusOf } from '../../../shared/domain/instance/phase.ts';
import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';
import type { InstanceChange, InstanceRecord } from '../../upstream/instance-view.ts';
import type { AboutInstance } from './event-log.ts';

export interface InstanceEvent {
  type: string;
  data: AboutInstance;
  /** True for an event that is superseded by the next one of its type, so a reader who was away does not need it. */
  transient?: boolean;
}

export function eventsOf({ id, before, after }: InstanceChange): InstanceEvent[] {
  if (!after) return [{ type: 'instance.removed', data: { instanceId: id } }];
  const events: InstanceEvent[] = [];
  if (!before || stateOf(before) !== stateOf(after)) events.push(phaseEvent(after));
  if (before) {
    for (const name of playersOnlyIn(after, before))
      events.push({ type: 'player.join', data: { instanceId: id, name } });
    for (const name of playersOnlyIn(before, after))
      events.push({ type: 'player.leave', data: { instanceId: id, name } });
  }
  if (before && tunnelOf(before) !== tunnelOf(after)) events.push(tunnelEvent(after));
  const usage = usageOf(after);
  if (usage && !isSame(usage, before && usageOf(before))) events.push({ type: 'usage', data: usage, transient: true });
  return events;
}

/** Returns the events that describe an instance's present state to a new reader. */
export function eventsOfPresent(record: InstanceRecord): InstanceEvent[] {
  const usage = usageOf(record);
  const tunnel = record.runtime.tunnel ? [tunnelEvent(record)] : [];
  return [phaseEvent(record), ...tunnel, ...(usage ? [{ type: 'usage', data: usage }] : [])];
}

function phaseEvent({ config, runtime }: InstanceRecord): InstanceEvent {
  const { phase, activity, pendingRestart, restartWhenEmpty } = runtime;
  const data = {
    ...{ instanceId: config.id, status: statusOf(phase), phase },
    ...(activity !== undefined && { activity }),
    ...(pendingRestart && { pendingRestart }),
    ...(restartWhenEmpty && { restartWhenEmpty }),
  };
  return { type: 'instance.phase', data };
}

function stateOf({ runtime }: InstanceRecord): string {
  const { phase, activity, degraded, crash, pendingRestart, restartWhenEmpty } = runtime;
  return JSON.stringify([phase, activity, degraded, crash?.at, pendingRestart, restartWhenEmpty]);
}

/** Without the address, the error and the link to allow it, which need a scope of their own. */
function tunnelEvent({ config, runtime: { tunnel } }: InstanceRecord): InstanceEvent {
  return { type: 'tunnel.status', data: { instanceId: config.id, state: tunnel?.state ?? 'off' } };
}

/** The latency changes with every probe, which nobody needs to hear of. */
function tunnelOf({ runtime: { tunnel } }: InstanceRecord): string {
  return tunnel ? [tunnel.state, tunnel.address, tunnel.error, tunnel.claimUrl].join('\n') : '';
}

function playersOnlyIn(these: InstanceRecord, those: InstanceRecord): string[] {
  const known = new Set(those.runtime.players);
  return (these.runtime.players ?? []).filter((name) => !known.has(name));
}

type Usage = { instanceId: string } & Pick<
  InstanceRuntime,
  'cpuPercent' | 'memoryUsedMb' | 'tickTimeMs' | 'tps' | 'playersOnline'
>;

function usageOf({ config, runtime }: InstanceRecord): Usage | undefined {
  const { cpuPercent, memoryUsedMb, tickTimeMs, tps, playersOnline } = runtime;
  if (cpuPercent === undefined) return undefined;
  return {
    instanceId: config.id,
    cpuPercent,
    ...(memoryUsedMb !== undefined && { memoryUsedMb }),
    ...(tickTimeMs !== undefined && { tickTimeMs }),
    ...(tps !== undefined && { tps }),
    ...(playersOnline !== undefined && { playersOnline }),
  };
}

function isSame(one: Usage, other: Usage | undefined): boolean {
  return (
    one.cpuPercent === other?.cpuPercent &&
    one.memoryUsedMb === other?.memoryUsedMb &&
    one.tickTimeMs === other?.tickTimeMs &&
    one.tps === other?.tps &&
    one.playersOnline === other?.playersOnline
  );
}

import type { Instance } from '../../api/transport/client.ts';

const NUMBERS = ['port', 'memoryMb', 'maxPlayers'] as const;

/** A setting that the pages about a server show. */
export type ShownSetting = 'version' | (typeof NUMBERS)[number];

/** Returns the server with the values that it runs with. The instance has those for its next start. */
export function asRunning(instance: Instance): Instance {
  const running = new Map(instance.pendingRestart?.map((change) => [change.setting, change.running]));
  const numbers = NUMBERS.flatMap((setting) => (running.get(setting) ? [[setting, Number(running.get(setting))]] : []));
  const version = running.get('version');
  return { ...instance, ...Object.fromEntries(numbers), ...(version && { version }) };
}

/** Returns the value as text from the next start; `undefined` if that is what the server runs with. */
export function afterRestart({ pendingRestart = [] }: Instance, setting: ShownSetting): string | undefined {
  return pendingRestart.find((change) => change.setting === setting)?.configured || undefined;
}

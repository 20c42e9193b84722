import path from 'node:path';
import { parseArgs } from 'node:util';
import type { SupervisorBoot } from '../../../shared/contract/supervisor-boot.ts';
import { INSTANCE_ID_PATTERN } from '../../../shared/domain/instance/instance-id.ts';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';

/**
 * The daemon sends the boot message right after the fork. Without one in this time, something else started this supervisor. Milliseconds.
 */
const BOOT_TIMEOUT_MS = 10_000;

/** Reads `--home <absolute path> --instance <id>`. Returns `undefined` for anything else. */
export function readCommandLine(args: readonly string[]): { home: Home; instance: string } | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { home: { type: 'string' }, instance: { type: 'string' } },
    strict: false,
  });
  const { home, instance } = values;
  if (typeof home !== 'string' || !path.isAbsolute(home)) return undefined;
  if (typeof instance !== 'string' || !INSTANCE_ID_PATTERN.test(instance)) return undefined;
  return { home: homeAt(home), instance };
}

/** Returns the daemon's first message, or `undefined` if no daemon started this process. */
export function receiveBoot(): Promise<SupervisorBoot | undefined> {
  return new Promise((resolve) => {
    if (!process.connected) {
      resolve(undefined);
      return;
    }
    const finish = (boot: SupervisorBoot | undefined) => {
      clearTimeout(timer);
      process.off('message', onMessage);
      process.off('disconnect', onDisconnect);
      // From here on, the channel must neither keep this process alive nor affect it when the daemon ends.
      process.channel?.unref();
      resolve(boot);
    };
    const onMessage = (message: unknown) => finish(message as SupervisorBoot);
    const onDisconnect = () => finish(undefined);
    const timer = setTimeout(onDisconnect, BOOT_TIMEOUT_MS);
    process.on('message', onMessage);
    process.on('disconnect', onDisconnect);
  });
}

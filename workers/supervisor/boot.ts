import path from 'node:path';
import { parseArgs } from 'node:util';
import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import { INSTANCE_ID_PATTERN } from '../../shared/domain/instance-id.ts';
import { type Home, homeAt } from '../../shared/node/files/home.ts';

/** The daemon sends the boot message with the fork; without it by then it is not going to come. */
const BOOT_TIMEOUT_MS = 10_000;

/** `--home <absolute path> --instance <id>`; `undefined` for anything else. */
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

/** The daemon's first message. Resolves to `undefined` where there is no daemon that would send it. */
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
      // From now on the channel must not keep this process alive, nor its end disturb it.
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

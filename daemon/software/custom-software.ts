import { type FSWatcher, watch } from 'node:fs';
import { setCustomSoftware } from '../../shared/domain/software/catalogue.ts';
import type { CustomSoftware } from '../../shared/domain/software/custom-software.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import { readCustomSoftware } from './read-custom-software.ts';

/** An editor writes a file in several steps. Milliseconds. */
const SETTLED_MS = 300;

/** The owner's custom software, as its files change. */
export interface CustomSoftwareFiles {
  current(): CustomSoftware;
  /** Sets a listener that runs after each change, but not after the first reading. */
  onChange(listener: () => Promise<void>): void;
  /** Reads the files again, in case a change was not noticed yet. */
  read(): Promise<CustomSoftware>;
  /** Yields the current software, then each change. */
  watch(signal: AbortSignal): AsyncIterable<CustomSoftware>;
  close(): void;
}

/** Reads the custom software, registers it in this process, and follows its files. Logs each problem with a file once. */
export async function followCustomSoftware({
  folder,
  log,
}: {
  folder: string;
  log: Logger;
}): Promise<CustomSoftwareFiles> {
  const mutex = createMutex();
  const current = new LatestValue<CustomSoftware>({ kinds: [], problems: [] });
  let onChange = async (): Promise<void> => undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Resolves to whether anything has changed. */
  async function update(): Promise<boolean> {
    const next = await readCustomSoftware(folder);
    const known = new Set(current.value.problems.map(({ file, problem }) => `${file} ${problem}`));
    for (const { file, problem } of next.problems)
      if (!known.has(`${file} ${problem}`)) log.warn({ file, problem }, 'a file of the software folder cannot be used');
    setCustomSoftware(next.kinds);
    if (JSON.stringify(next) === JSON.stringify(current.value)) return false;
    current.set(next);
    return true;
  }

  const read = () =>
    mutex.run(async () => {
      if (await update()) await onChange();
      return current.value;
    });

  await update();
  const watcher = watchFolder(folder, log, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      read().catch((error: unknown) => log.error({ err: error }, 'the software folder could not be read'));
    }, SETTLED_MS);
  });
  return {
    current: () => current.value,
    onChange(listener) {
      onChange = listener;
    },
    read,
    watch: (signal) => current.follow(signal),
    close() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** If the system cannot watch the folder, changes are noticed at the next `read`. */
function watchFolder(folder: string, log: Logger, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    return watcher.on('error', (error) => log.warn({ err: error }, 'stopped watching the software folder'));
  } catch (error) {
    log.warn({ err: error }, 'the software folder cannot be watched');
    return undefined;
  }
}

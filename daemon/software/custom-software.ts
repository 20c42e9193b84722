import { type FSWatcher, watch } from 'node:fs';
import { setCustomSoftware } from '../../shared/domain/software/catalogue.ts';
import type { CustomSoftware } from '../../shared/domain/software/custom-software.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import { readCustomSoftware } from './read-custom-software.ts';

/** An editor writes a file in several steps. Milliseconds. */
const SETTLED_MS = 300;

/** The owner's own kinds of software, as they change. */
export interface CustomSoftwareFiles {
  current(): CustomSoftware;
  /** Reads them anew where a change has not been noticed yet. */
  read(): Promise<CustomSoftware>;
  /** Those of now, then each change. */
  watch(signal: AbortSignal): AsyncIterable<CustomSoftware>;
  close(): void;
}

export interface CustomSoftwareOptions {
  folder: string;
  log: Logger;
  /** Told when they have changed; not at the first reading. */
  onChange(): Promise<void>;
}

/** Reads the kinds, has this process know them, and follows their files. What is wrong with one is said in the log, once. */
export async function followCustomSoftware({
  folder,
  log,
  onChange,
}: CustomSoftwareOptions): Promise<CustomSoftwareFiles> {
  const mutex = createMutex();
  const current = new LatestValue<CustomSoftware>({ kinds: [], problems: [] });
  let timer: NodeJS.Timeout | undefined;

  async function readAnew(): Promise<boolean> {
    const next = await readCustomSoftware(folder);
    const told = new Set(current.value.problems.map(({ file, problem }) => `${file} ${problem}`));
    for (const { file, problem } of next.problems)
      if (!told.has(`${file} ${problem}`))
        log.warn({ file, problem }, 'a file of the software folder is no kind of software');
    setCustomSoftware(next.kinds);
    if (JSON.stringify(next) === JSON.stringify(current.value)) return false;
    current.set(next);
    return true;
  }

  const read = () =>
    mutex.run(async () => {
      if (await readAnew()) await onChange();
      return current.value;
    });

  await readAnew();
  const watcher = watchFolder(folder, log, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      read().catch((error: unknown) => log.error({ err: error }, 'the software folder could not be read'));
    }, SETTLED_MS);
  });
  return {
    current: () => current.value,
    read,
    watch: (signal) => current.follow(signal),
    close() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** Where the system cannot tell of changes, they are noticed when somebody asks for the kinds. */
function watchFolder(folder: string, log: Logger, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    return watcher.on('error', (error) => log.warn({ err: error }, 'the software folder is not watched any more'));
  } catch (error) {
    log.warn({ err: error }, 'the software folder cannot be watched');
    return undefined;
  }
}

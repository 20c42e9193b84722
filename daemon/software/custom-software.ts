import { type FSWatcher, watch } from 'node:fs';
import { setCustomSoftware } from '../../shared/domain/software/catalogue.ts';
import type { CustomSoftware } from '../../shared/domain/software/custom-software.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import { createBroadcast } from '../broadcast.ts';
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
  const changes = createBroadcast<CustomSoftware>();
  let current: CustomSoftware = { kinds: [], problems: [] };
  let timer: NodeJS.Timeout | undefined;

  async function readAnew(): Promise<boolean> {
    const next = await readCustomSoftware(folder);
    const told = new Set(current.problems.map(({ file, problem }) => `${file} ${problem}`));
    for (const { file, problem } of next.problems)
      if (!told.has(`${file} ${problem}`))
        log.warn({ file, problem }, 'a file of the software folder is no kind of software');
    const hasChanged = JSON.stringify(next) !== JSON.stringify(current);
    current = next;
    setCustomSoftware(next.kinds);
    return hasChanged;
  }

  const read = () =>
    mutex.run(async () => {
      if (await readAnew()) {
        changes.publish(current);
        await onChange();
      }
      return current;
    });

  await readAnew();
  const watcher = watchFolder(folder, log, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      read().catch((error: unknown) => log.error({ err: error }, 'the software folder could not be read'));
    }, SETTLED_MS);
  });
  return {
    current: () => current,
    read,
    async *watch(signal) {
      const following = changes.subscribe(signal);
      yield current;
      yield* following;
    },
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

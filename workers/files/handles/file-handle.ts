import { closeSync, fstatSync, fsync, ftruncate, futimesSync, read, write } from 'node:fs';
import { promisify } from 'node:util';
import type { AttributeChange, FileAttributes } from '../../../shared/contract/file-handles.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { claimSpace, takeSpace } from '../folder/disk-reserve.ts';
import { etagOf } from '../folder/entry.ts';
import { explained } from '../folder/file-error.ts';
import type { OpenedFile } from '../folder/open-file.ts';
import { commitStaged, discardStaged } from '../staging/staged-files.ts';
import { applyChange, attributesOf } from './attributes.ts';
import { readMasked } from './read-masked.ts';
import { createWorkingCopy, type WorkingCopy } from './working-copy.ts';

const NEW_FILE_MODE = 0o644;

export interface FileHandleOptions {
  /** The instance's folder, links resolved. */
  root: string;
  path: string;
  /** The file that is there; absent: none. Closed with the handle. */
  found?: OpenedFile | undefined;
  /** True: nothing may be there when the handle is closed. */
  mustBeNew: boolean;
  mayWrite: boolean;
  /** Present: reads hide these. */
  masked?: readonly string[] | undefined;
}

/** One file, open for a while. Operations run one at a time, in order. Writes go to a copy, so that nobody sees half of them. */
export class FileHandle {
  readonly #options: FileHandleOptions;
  readonly #mutex = createMutex();
  #copy: WorkingCopy | undefined;
  /** Set if the copy began with the content of the file: then it must still be that file at the end. */
  #basedOn: string | undefined;
  #late: Omit<AttributeChange, 'sizeBytes'> = {};

  constructor(options: FileHandleOptions) {
    this.#options = options;
  }

  /** Begins with an empty file, whether or not something is there. */
  async begin(): Promise<void> {
    this.#copy = await createWorkingCopy(this.#options.root);
  }

  /** Returns true if there was no file when it was opened. */
  get isNew(): boolean {
    return !this.#options.found;
  }

  attributes(): FileAttributes {
    const attributes = attributesOf(fstatSync(this.#descriptor, { bigint: true }));
    if (!this.#copy) return attributes;
    const { found } = this.#options;
    return { ...attributes, mode: this.#late.mode ?? (found ? attributesOf(found.stats).mode : NEW_FILE_MODE) };
  }

  read({ offset, length }: { offset: number; length: number }): Promise<Uint8Array> {
    return this.#mutex.run(async () => {
      const { masked, path } = this.#options;
      const part = { start: offset, end: offset + length - 1 };
      if (masked)
        return await explained(path, () =>
          readMasked({ descriptor: this.#descriptor, path }, { ...part, secrets: masked }),
        );
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      for (let got = -1; got !== 0 && filled < length; filled += got)
        got = (await readAt(this.#descriptor, bytes, filled, length - filled, offset + filled)).bytesRead;
      return bytes.subarray(0, filled);
    });
  }

  write({ offset, bytes }: { offset: number; bytes: Uint8Array }): Promise<void> {
    return this.#change(async (descriptor) => {
      await this.#requireGrowth(descriptor, offset);
      using _space = await takeSpace(this.#options.root, bytes.length);
      for (let done = 0; done < bytes.length; )
        done += (await writeAt(descriptor, bytes, done, bytes.length - done, offset + done)).bytesWritten;
    });
  }

  set({ sizeBytes, ...rest }: AttributeChange): Promise<void> {
    const change = { ...(rest.mode !== undefined && { mode: rest.mode }), ...(rest.times && { times: rest.times }) };
    if (sizeBytes !== undefined)
      return this.#change(async (descriptor) => {
        await this.#requireGrowth(descriptor, sizeBytes);
        await truncate(descriptor, sizeBytes);
        this.#late = { ...this.#late, ...change };
      });
    return this.#mutex.run(() => {
      this.#requireWritable();
      if (this.#copy) this.#late = { ...this.#late, ...change };
      else explained(this.#options.path, () => applyChange(this.#descriptor, change));
    });
  }

  sync(): Promise<void> {
    return this.#mutex.run(() => explained(this.#options.path, () => sync(this.#descriptor)));
  }

  /** Publishes what was written, unless `requireSame` throws. Returns whether anything was written. The handle cannot be used afterwards. */
  commit(requireSame: () => Promise<void>): Promise<boolean> {
    return this.#mutex.run(async () => {
      try {
        if (this.#copy) await this.#publish(this.#copy, requireSame);
        return this.#copy !== undefined;
      } finally {
        await this.#close();
      }
    });
  }

  discard(): Promise<void> {
    return this.#mutex.run(() => this.#close());
  }

  async #publish({ root, own, descriptor }: WorkingCopy, requireSame: () => Promise<void>): Promise<void> {
    const { path, mustBeNew } = this.#options;
    const { times, mode } = this.#late;
    if (times) futimesSync(descriptor, times.accessedAt, times.modifiedAt);
    await explained(path, () => sync(descriptor));
    await requireSame();
    await commitStaged({ root, own }, { path, isNew: mustBeNew, ifMatch: this.#basedOn });
    if (mode !== undefined) applyChange(descriptor, { mode });
  }

  #change(work: (descriptor: number) => Promise<void>): Promise<void> {
    return this.#mutex.run(async () => {
      this.#requireWritable();
      const { root, found, path } = this.#options;
      if (!this.#copy) {
        this.#copy = await createWorkingCopy(root, found);
        this.#basedOn = found && etagOf(found.stats);
      }
      const { descriptor } = this.#copy;
      await explained(path, () => work(descriptor));
    });
  }

  /** A file with holes takes no space yet, but whoever copies it or fills it needs that much. */
  async #requireGrowth(descriptor: number, sizeBytes: number): Promise<void> {
    const growth = sizeBytes - fstatSync(descriptor).size;
    if (growth > 0) (await claimSpace(this.#options.root, growth, 'The change'))[Symbol.dispose]();
  }

  get #descriptor(): number {
    const descriptor = this.#copy?.descriptor ?? this.#options.found?.descriptor;
    if (descriptor === undefined) throw closed();
    return descriptor;
  }

  #requireWritable(): void {
    if (!this.#options.mayWrite) throw new GamekeeperError('invalid_state', 'The file is not open for writing.');
  }

  async #close(): Promise<void> {
    const { found } = this.#options;
    const copy = this.#copy;
    this.#copy = undefined;
    this.#options.found = undefined;
    found?.[Symbol.dispose]();
    if (!copy) return;
    closeSync(copy.descriptor);
    await discardStaged(copy);
  }
}

const readAt = promisify(read);
const writeAt = promisify(write);
const truncate = promisify(ftruncate);
const sync = promisify(fsync);

function closed(): GamekeeperError {
  return new GamekeeperError('invalid_state', 'The file is closed.');
}

import type { AttributeChange, FileAttributes } from '../../../shared/contract/file-handles.ts';
import { OPEN_FLAG, STATUS } from '../protocol/constants.ts';
import type { Named } from '../protocol/replies.ts';
import { badHandle, permissionDenied, SftpFailure } from './failure.ts';
import { type FilesCalls, UNTIMED } from './files-calls.ts';
import { ReadAhead } from './read-ahead.ts';
import type { ServerPlace } from './servers.ts';
import type { UserShare } from './user-shares.ts';
import { WriteBehind } from './write-behind.ts';

/** Of one session. */
export const MOST_HANDLES = 128;
const HANDLE_BYTES = 4;
/** Of one answer; more would not fit if names are long. */
const ENTRIES_AT_ONCE = 100;

interface OpenFile {
  kind: 'file';
  handle: number;
  place: ServerPlace;
  mayRead: boolean;
  mayWrite: boolean;
  /** True if closing it will write something. */
  isChanged: boolean;
  /** Present if all that is written goes to the end: where that is. */
  end?: number;
}

type Open = OpenFile | { kind: 'folder'; handle: number } | { kind: 'top'; entries: Named[] };

/** The open files and folders of one session, by the handles that the client has. */
export class OpenFiles {
  readonly #files: FilesCalls;
  readonly #open = new Map<number, Open>();
  /** How to give back the place of each. */
  readonly #places = new Map<number, () => void>();
  readonly #share: UserShare;
  readonly #reads: ReadAhead;
  /** Of files that are masked. */
  readonly #maskedReads: ReadAhead;
  readonly #writes: WriteBehind;
  #last = 0;
  #isEnded = false;

  constructor(files: FilesCalls, share: UserShare) {
    this.#files = files;
    this.#share = share;
    this.#reads = new ReadAhead(files);
    this.#maskedReads = new ReadAhead({
      readHandle: (...request) => share.masking.run(() => files.readHandle(...request)),
    });
    this.#writes = new WriteBehind(files);
  }

  async openFile(place: ServerPlace, flags: number, mode: number | undefined): Promise<Buffer> {
    const has = (flag: number) => (flags & flag) !== 0;
    const mayWrite = has(OPEN_FLAG.write) || has(OPEN_FLAG.append);
    if (mayWrite && place.right !== 'write') throw permissionDenied();
    return await this.#begin(async () => {
      const { handle, sizeBytes, isNew } = await this.#files.openHandle({
        instanceId: place.instanceId,
        path: place.path,
        read: has(OPEN_FLAG.read),
        write: mayWrite,
        create: has(OPEN_FLAG.create),
        exclusive: has(OPEN_FLAG.exclusive),
        truncate: has(OPEN_FLAG.truncate),
        isMasked: isMasked(place),
      });
      const isChanged = mayWrite && (isNew || has(OPEN_FLAG.truncate));
      const open: OpenFile = { kind: 'file', handle, place, mayRead: has(OPEN_FLAG.read), mayWrite, isChanged };
      if (has(OPEN_FLAG.append)) open.end = sizeBytes;
      if (!mayWrite) this.#readsOf(place).begin(handle, sizeBytes);
      if (isNew && mode !== undefined) await this.#set(open, { mode });
      return open;
    });
  }

  async openFolder({ instanceId, path }: ServerPlace): Promise<Buffer> {
    return await this.#begin(async () => {
      const { handle } = await this.#files.openFolder({ instanceId, path }, UNTIMED);
      return { kind: 'folder', handle };
    });
  }

  openTop(entries: Named[]): Promise<Buffer> {
    return this.#begin(async () => ({ kind: 'top', entries }));
  }

  /** Returns no entries at the end of the folder. */
  async entries(key: Buffer): Promise<Named[]> {
    const open = this.#find(key);
    if (open.kind === 'file') throw badHandle();
    if (open.kind === 'top') return open.entries.splice(0, ENTRIES_AT_ONCE);
    return await this.#files.nextEntries({ handle: open.handle, limit: ENTRIES_AT_ONCE }, UNTIMED);
  }

  async read(key: Buffer, offset: number, length: number): Promise<Uint8Array> {
    const { handle, place, mayRead, mayWrite } = this.#findFile(key);
    if (!mayRead) throw permissionDenied('The file is not open for reading');
    if (!mayWrite) return await this.#readsOf(place).read(handle, offset, length);
    await this.#writes.flush(handle);
    return await this.#files.readHandle({ handle, offset, length }, UNTIMED);
  }

  write(key: Buffer, offset: number, bytes: Uint8Array): Promise<void> {
    const open = this.#findFile(key);
    if (!open.mayWrite) throw permissionDenied('The file is not open for writing');
    open.isChanged = true;
    const start = open.end ?? offset;
    if (open.end !== undefined) open.end += bytes.length;
    return this.#writes.write(open.handle, start, bytes);
  }

  async attributes(key: Buffer): Promise<FileAttributes> {
    const { handle } = this.#findFile(key);
    await this.#writes.flush(handle);
    return await this.#files.handleAttributes(handle);
  }

  async setAttributes(key: Buffer, change: AttributeChange): Promise<void> {
    const open = this.#findFile(key);
    if (!open.mayWrite) throw permissionDenied('The file is not open for writing');
    await this.#set(open, change);
  }

  async sync(key: Buffer): Promise<void> {
    const { handle } = this.#findFile(key);
    await this.#writes.flush(handle);
    await this.#files.syncHandle(handle, UNTIMED);
  }

  /** Publishes what was written; rejects if any of it failed, and then discards all of it. */
  async close(key: Buffer): Promise<void> {
    const open = this.#find(key);
    this.#leave(keyOf(key));
    if (open.kind === 'top') return;
    try {
      await this.#writes.flush(open.handle);
    } catch (error) {
      await this.#discard(open.handle);
      throw error;
    }
    this.#forget(open.handle);
    await this.#files.closeHandle({ handle: open.handle, isWhole: true }, UNTIMED);
  }

  /** Returns where `close` will write; `undefined` if it will not. */
  placeToPublish(key: Buffer): ServerPlace | undefined {
    const open = this.#find(key);
    return open.kind === 'file' && open.isChanged ? open.place : undefined;
  }

  /** Returns the handle of a file that is open for writing: for others it does not exist yet, or not so. */
  writableAt({ instanceId, path }: ServerPlace): Buffer | undefined {
    for (const [key, open] of this.#open)
      if (open.kind === 'file' && open.mayWrite && open.place.path === path && open.place.instanceId === instanceId)
        return bytesOfKey(key);
    return undefined;
  }

  placeOf(key: Buffer): ServerPlace {
    return this.#findFile(key).place;
  }

  /** Closes everything. Files that were being written stay as they were. */
  async end(): Promise<void> {
    this.#isEnded = true;
    const open = [...this.#open.values()];
    for (const key of [...this.#open.keys()]) this.#leave(key);
    await Promise.all(open.map((one) => one.kind !== 'top' && this.#discard(one.handle)));
  }

  async #set(open: OpenFile, change: AttributeChange): Promise<void> {
    const { handle } = open;
    await this.#writes.flush(handle);
    if (change.sizeBytes !== undefined) open.isChanged = true;
    await this.#files.setHandleAttributes({ handle, change }, UNTIMED);
  }

  /** Opens something if there is a place for it, and keeps it open. */
  async #begin(open: () => Promise<Open>): Promise<Buffer> {
    if (this.#open.size >= MOST_HANDLES) throw new SftpFailure(STATUS.failure, 'Too many files are open');
    const leave = this.#share.takeHandle();
    try {
      return await this.#keep(await open(), leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #keep(open: Open, leave: () => void): Promise<Buffer> {
    if (this.#isEnded) {
      if (open.kind !== 'top') await this.#discard(open.handle);
      throw badHandle();
    }
    const key = ++this.#last;
    this.#open.set(key, open);
    this.#places.set(key, leave);
    return bytesOfKey(key);
  }

  #leave(key: number): void {
    this.#open.delete(key);
    this.#places.get(key)?.();
    this.#places.delete(key);
  }

  #readsOf(place: ServerPlace): ReadAhead {
    return isMasked(place) ? this.#maskedReads : this.#reads;
  }

  #find(key: Buffer): Open {
    const open = this.#open.get(keyOf(key));
    if (!open) throw badHandle();
    return open;
  }

  #findFile(key: Buffer): OpenFile {
    const open = this.#find(key);
    if (open.kind !== 'file') throw badHandle();
    return open;
  }

  async #discard(handle: number): Promise<void> {
    this.#forget(handle);
    await this.#files.closeHandle({ handle, isWhole: false }, UNTIMED);
  }

  #forget(handle: number): void {
    this.#reads.end(handle);
    this.#maskedReads.end(handle);
    this.#writes.end(handle);
  }
}

function isMasked({ right }: ServerPlace): boolean {
  return right !== 'write';
}

function bytesOfKey(key: number): Buffer {
  const bytes = Buffer.alloc(HANDLE_BYTES);
  bytes.writeUInt32BE(key);
  return bytes;
}

function keyOf(bytes: Buffer): number {
  return bytes.length === HANDLE_BYTES ? bytes.readUInt32BE() : 0;
}

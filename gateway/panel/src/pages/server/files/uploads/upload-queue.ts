import { Upload } from 'tus-js-client';
import { type FilePlace, uploadsUrl } from '../../../../api/files.ts';
import { api } from '../../../../api/transport/client.ts';
import type { Problem } from '../../../../api/transport/problem.ts';
import { RESUMABLE, uploadProblem } from '../../../../api/uploads/resumable-upload.ts';
import { pathIn } from '../file-path.ts';
import type { ChosenFile } from './dropped-files.ts';

/** Uploads at a time; the others wait. */
const MOST_AT_ONCE = 2;

export interface FileUpload {
  id: number;
  instanceId: string;
  /** In the server's folder. */
  path: string;
  sizeBytes: number;
  sentBytes: number;
  /** `exists`: somebody has to say what happens to the file that is there. */
  state: 'waiting' | 'sending' | 'paused' | 'exists' | 'failed' | 'done';
  problem?: Problem;
}

interface Item {
  shown: FileUpload;
  file: File;
  replaces: boolean;
  upload?: Upload;
  onDone: () => void;
}

/** The uploads of this tab. They go on while other pages are shown. After a reload, choosing a file again continues where it was. */
class UploadQueue {
  #items: Item[] = [];
  #shown: readonly FileUpload[] = [];
  #nextId = 1;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly FileUpload[] => this.#shown;

  add(folder: FilePlace, files: readonly ChosenFile[], onDone: () => void): void {
    for (const { file, path } of files) {
      const shown: FileUpload = {
        id: this.#nextId++,
        instanceId: folder.instanceId,
        path: pathIn(folder.path, path),
        sizeBytes: file.size,
        sentBytes: 0,
        state: 'waiting',
      };
      this.#items.push({ shown, file, replaces: false, onDone });
    }
    void this.#begin(folder, files).then(() => this.#startNext());
    this.#tell();
  }

  pause(id: number): void {
    const item = this.#find(id);
    void item?.upload?.abort();
    this.#set(id, { state: 'paused' });
    this.#startNext();
  }

  /** Continues what was paused or has failed. `replaces`: also over a file that is there. */
  resume(id: number, { replaces = false } = {}): void {
    const item = this.#find(id);
    if (!item) return;
    item.replaces ||= replaces;
    this.#set(id, { state: 'waiting' });
    this.#startNext();
  }

  /** Uploads under another name, beside what is there. */
  keepBoth(id: number): void {
    const path = this.#find(id)?.shown.path ?? '';
    const dot = path.lastIndexOf('.');
    const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
    this.#set(id, {
      path: `${path.slice(0, end)} (${new Date().toISOString().slice(0, 19).replaceAll(':', '.')})${path.slice(end)}`,
    });
    this.resume(id);
  }

  /** Ends it, if it is not done, and forgets it. */
  remove(id: number): void {
    const item = this.#find(id);
    if (item?.shown.state !== 'done') void item?.upload?.abort(true).catch(() => undefined); // it expires
    this.#items = this.#items.filter((each) => each !== item);
    this.#tell();
    this.#startNext();
  }

  /** Creates the folders that dropped files are in. Those that are there stay as they are. */
  async #begin({ instanceId, path }: FilePlace, files: readonly ChosenFile[]): Promise<void> {
    const folders = new Set(files.flatMap((file) => foldersOf(file.path)));
    for (const folder of folders)
      await api
        .POST('/instances/{id}/files/folder', {
          params: { path: { id: instanceId } },
          body: { path: pathIn(path, folder) },
        })
        .catch(() => undefined); // if it is not there, its files say why
  }

  #startNext(): void {
    const sending = this.#items.filter(({ shown }) => shown.state === 'sending').length;
    const next = this.#items.filter(({ shown }) => shown.state === 'waiting').slice(0, MOST_AT_ONCE - sending);
    for (const item of next) void this.#start(item);
  }

  async #start(item: Item): Promise<void> {
    const { id } = item.shown;
    this.#set(id, { state: 'sending' });
    const { instanceId, path } = item.shown;
    const upload = new Upload(item.file, {
      endpoint: uploadsUrl({ instanceId, path }),
      headers: item.replaces ? {} : { 'If-None-Match': '*' },
      ...RESUMABLE,
      fingerprint: async () => ['gamekeeper', instanceId, path, item.file.size, item.file.lastModified].join('|'),
      onProgress: (sentBytes) => this.#set(id, { sentBytes }),
      onSuccess: () => {
        this.#set(id, { state: 'done', sentBytes: item.file.size });
        item.onDone();
        this.#startNext();
      },
      onError: (error) => void this.#fail(id, error),
    });
    item.upload = upload;
    const [former] = await upload.findPreviousUploads();
    if (former) upload.resumeFromPreviousUpload(former);
    upload.start();
  }

  async #fail(id: number, error: Error): Promise<void> {
    const problem = await uploadProblem(error);
    this.#set(id, { state: problem.code === 'file_exists' ? 'exists' : 'failed', problem });
    this.#startNext();
  }

  #find(id: number): Item | undefined {
    return this.#items.find(({ shown }) => shown.id === id);
  }

  #set(id: number, change: Partial<FileUpload>): void {
    const item = this.#find(id);
    if (!item) return;
    item.shown = { ...item.shown, ...change };
    this.#tell();
  }

  #tell(): void {
    this.#shown = this.#items.map(({ shown }) => shown);
    for (const listener of this.#listeners) listener();
  }
}

export const uploads = new UploadQueue();

/** The folders on the way to a file, the outer ones first. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

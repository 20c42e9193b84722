import { useEffect, useRef, useState } from 'react';
import { archiveKey, uploadArchive } from '../../api/uploads/archive-upload.ts';
import { DISCARD } from '../../api/uploads/resumable-upload.ts';

/** A file that is uploaded to be imported. */
export interface ArchiveUpload {
  file: File;
  sentBytes: number;
  /** Once all of it has arrived. */
  id?: string;
  /** Why it stopped. */
  problem?: unknown;
}

export interface ArchiveUploadControl {
  upload: ArchiveUpload | undefined;
  /** Uploads a file in place of the one before. The same file continues where it stopped. */
  send(file: File): void;
  /** Forgets the file and removes what has arrived. */
  discard(): void;
}

/** Uploads one archive at a time. It stops when the page is left, and what has arrived stays. `onArrived` gets the id of the upload. */
export function useArchiveUpload(onArrived: (id: string) => void): ArchiveUploadControl {
  const [upload, setUpload] = useState<ArchiveUpload>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);

  const send = (file: File) => {
    const isSame = upload !== undefined && archiveKey(upload.file) === archiveKey(file);
    ending.current?.abort(isSame ? undefined : DISCARD);
    const controller = new AbortController();
    ending.current = controller;
    const { signal } = controller;
    setUpload({ file, sentBytes: 0 });
    const change = (changes: Partial<ArchiveUpload>) => {
      if (!signal.aborted) setUpload((before) => before && { ...before, ...changes });
    };
    uploadArchive(file, { signal, onProgress: (sentBytes) => change({ sentBytes }) }).then(
      (id) => {
        change({ id, sentBytes: file.size });
        if (!signal.aborted) onArrived(id);
      },
      (problem: unknown) => change({ problem }),
    );
  };
  const discard = () => {
    ending.current?.abort(DISCARD);
    setUpload(undefined);
  };
  return { upload, send, discard };
}

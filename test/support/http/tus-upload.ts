import { Upload, type UploadOptions } from 'tus-js-client';

/** An upload in pieces by the client of the protocol's authors. `done` rejects with its error. */
export interface TusUpload {
  done: Promise<void>;
  upload: Upload;
}

/** Begins to upload bytes. */
export function tusUpload(endpoint: URL, bytes: Buffer, options: Partial<UploadOptions>): TusUpload {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const upload = new Upload(bytes as unknown as File, {
    endpoint: String(endpoint),
    retryDelays: [100, 200, 400, 800, 1_600, 3_200],
    onSuccess: () => resolve(),
    onError: reject,
    ...options,
  });
  upload.start();
  return { done, upload };
}

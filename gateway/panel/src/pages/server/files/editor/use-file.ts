import { useQuery } from '@tanstack/react-query';
import { type FilePlace, readContent } from '../../../../api/files.ts';
import { decodeText, type TextFormat } from './text-format.ts';

/** A larger file is shown in pages, and cannot be edited. */
export const MOST_EDITED_BYTES = 2_000_000;

export interface OpenedText {
  kind: 'text';
  text: string;
  format: TextFormat;
  etag: string;
  page: Page;
  isReadOnly: boolean;
}

export type OpenedFile = OpenedText | { kind: 'image'; url: string } | { kind: 'binary'; sizeBytes: number };

/** Which part of a large file is shown. */
export interface Page {
  number: number;
  count: number;
}

/** Never SVG, which can contain scripts. */
const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** Opens a file: an image, a text, or a page of a large one. It is read once: what the server writes later does not disturb who edits. */
export function useFile(at: FilePlace, page: number) {
  return useQuery({
    queryKey: ['file', at.instanceId, at.path, page],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: () => opened(at, page),
  });
}

async function opened(at: FilePlace, number: number): Promise<OpenedFile> {
  const ending = at.path.slice(at.path.lastIndexOf('.') + 1).toLowerCase();
  const part = await readContent(at, { start: number * MOST_EDITED_BYTES, length: MOST_EDITED_BYTES });
  const { bytes, etag, sizeBytes } = part;
  const type = IMAGES[ending];
  if (type !== undefined && sizeBytes === bytes.length)
    return { kind: 'image', url: URL.createObjectURL(new Blob([bytes], { type })) };
  const isPacked = ending === 'gz' && sizeBytes === bytes.length;
  const text = decodeText(isPacked ? await unpacked(bytes) : bytes);
  if (!text) return { kind: 'binary', sizeBytes };
  const count = Math.max(1, Math.ceil(sizeBytes / MOST_EDITED_BYTES));
  return { kind: 'text', ...text, etag, page: { number, count }, isReadOnly: count > 1 || isPacked };
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Only so much is shown: a small archive can hold any amount.
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_EDITED_BYTES) break;
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()).subarray(0, MOST_EDITED_BYTES);
}

/**
 * Consecutive console lines with the same time, as sent between processes. In a live stream, a batch without lines contains the unfinished
 * line after line `firstSeq - 1`, without a line end.
 */
export interface ConsoleBatch {
  firstSeq: number;
  count: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Number of requested lines before `firstSeq` that no longer exist. */
  skipped: number;
  /** The redacted lines, colours kept, each ending in CR LF. */
  text: Uint8Array;
}

/** `f64 firstSeq | f64 at | f64 skipped | u32 count | u32 bytes of text`, little-endian, then the text. */
export const BATCH_HEAD_BYTES = 32;

/** Encodes batches one after the other. Items of a live stream hold one each. */
export function encodeBatches(batches: readonly ConsoleBatch[]): Uint8Array {
  const bytes = new Uint8Array(batches.reduce((size, { text }) => size + BATCH_HEAD_BYTES + text.byteLength, 0));
  let offset = 0;
  for (const batch of batches) {
    writeBatchHead(bytes.subarray(offset), batch);
    bytes.set(batch.text, offset + BATCH_HEAD_BYTES);
    offset += BATCH_HEAD_BYTES + batch.text.byteLength;
  }
  return bytes;
}

/** Writes the head of a batch whose text is already in place. */
export function writeBatchHead(bytes: Uint8Array, { firstSeq, count, at, skipped, text }: ConsoleBatch): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, BATCH_HEAD_BYTES);
  view.setFloat64(0, firstSeq, true);
  view.setFloat64(8, at, true);
  view.setFloat64(16, skipped, true);
  view.setUint32(24, count, true);
  view.setUint32(28, text.byteLength, true);
}

/** Reverses `encodeBatches`. The texts are views into `bytes`. */
export function decodeBatches(bytes: Uint8Array): ConsoleBatch[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const batches: ConsoleBatch[] = [];
  for (let offset = 0; offset < bytes.byteLength; ) {
    const start = offset + BATCH_HEAD_BYTES;
    const end = start + view.getUint32(offset + 28, true);
    batches.push({
      firstSeq: view.getFloat64(offset, true),
      at: view.getFloat64(offset + 8, true),
      skipped: view.getFloat64(offset + 16, true),
      count: view.getUint32(offset + 24, true),
      text: bytes.subarray(start, end),
    });
    offset = end;
  }
  return batches;
}

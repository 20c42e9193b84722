/** An encoded batch of console lines. */
export function encodeBatch(firstSeq: number, lines: readonly string[]): Uint8Array {
  const head = JSON.stringify({ firstSeq, count: lines.length, at: Date.UTC(2026, 10, 20), skipped: 0 });
  return Buffer.from(`${head}\n${lines.map((line) => `${line}\r\n`).join('')}`);
}

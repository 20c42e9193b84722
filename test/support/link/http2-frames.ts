/** Frames of HTTP/2 (RFC 9113, section 4) for peers that do what Node's own client does not. */

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const TYPES = { data: 0x0, headers: 0x1, reset: 0x3, settings: 0x4 } as const;
const ACK = 0x1;
const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const MOST_PAYLOAD_BYTES = 16 * 1024;

/** Returns what a client sends first. */
export function connectionPreface(): Buffer {
  return Buffer.concat([Buffer.from(PREFACE), frame('settings', { id: 0 })]);
}

/** Returns what a client sends after the settings of the server, which count from then on. */
export function settingsAck(): Buffer {
  return frame('settings', { id: 0, flags: ACK });
}

/** Returns a frame that opens a stream. Names and values have at most 126 bytes each. */
export function headersFrame(id: number, headers: Record<string, string>, { end = false } = {}): Buffer {
  // Literals that are not indexed and not compressed (RFC 7541, section 6.2.2).
  const fields = Object.entries(headers).map(([name, value]) =>
    Buffer.concat([Buffer.from([0]), literal(name), literal(value)]),
  );
  return frame('headers', { id, flags: END_HEADERS | (end ? END_STREAM : 0), payload: Buffer.concat(fields) });
}

/** Returns a part of a body of so many bytes. */
export function dataFrames(id: number, bytes: number): Buffer {
  const frames: Buffer[] = [];
  for (let rest = bytes; rest > 0; rest -= MOST_PAYLOAD_BYTES)
    frames.push(frame('data', { id, payload: Buffer.alloc(Math.min(rest, MOST_PAYLOAD_BYTES)) }));
  return Buffer.concat(frames);
}

export function resetFrame(id: number, code: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame('reset', { id, payload });
}

function frame(
  type: keyof typeof TYPES,
  { id, flags = 0, payload = Buffer.alloc(0) }: { id: number; flags?: number; payload?: Buffer },
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(TYPES[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

function literal(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
}

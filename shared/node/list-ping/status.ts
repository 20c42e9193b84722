/** The answer for the server list. */
export interface ServerStatus {
  readonly version: string;
  readonly protocol: number;
  readonly motd: string;
  readonly max: number;
  readonly online: number;
  /** Some of the players; empty if the server hides them. */
  readonly sample: readonly { readonly name: string; readonly uuid: string }[];
  /** A PNG of 64 by 64 as a `data:` URL. */
  readonly favicon?: string | undefined;
}

/** Returns the answer since 1.7. An empty sample is left out, as in vanilla. */
export function statusJson({ version, protocol, motd, max, online, sample, favicon }: ServerStatus): string {
  const names = sample.slice(0, LONGEST_SAMPLE).map(({ name, uuid }) => ({ name, id: uuid }));
  return JSON.stringify({
    version: { name: version, protocol },
    description: { text: motd },
    players: { max, online, ...(names.length > 0 && { sample: names }) },
    ...(favicon !== undefined && { favicon }),
  });
}

/** Returns the answer for clients from 1.4 to 1.6 (`FE 01`) and older ones (`FE` alone). */
export function legacyStatus(status: ServerStatus, ping: 'modern' | 'ancient'): Buffer {
  const { version, motd, online, max } = status;
  const text =
    ping === 'modern' ? ['§1', LEGACY_PROTOCOL, version, motd, online, max].join('\0') : [motd, online, max].join('§');
  const encoded = Buffer.from(text, 'utf16le').swap16();
  const head = Buffer.from([0xff, 0, 0]);
  head.writeUInt16BE(text.length, 1);
  return Buffer.concat([head, encoded]);
}

const LONGEST_SAMPLE = 12;
/** Vanilla's answer to old clients, newer than any of them. */
const LEGACY_PROTOCOL = 127;

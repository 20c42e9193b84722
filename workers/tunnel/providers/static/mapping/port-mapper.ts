/** What a router is asked for. */
export interface MappingWish {
  transport: 'tcp' | 'udp';
  /** Where the game listens on this computer. */
  port: number;
  /** The port that players should use. The router may give another one. */
  publicPort: number;
}

/** What the router gave. */
export interface Mapping {
  /** The router's own address on its other side. */
  publicAddress: string;
  publicPort: number;
  /** Milliseconds after which it has to be asked for again. */
  lifetimeMs: number;
}

/** One protocol by which a router forwards ports when it is asked to. */
export interface PortMapper {
  readonly name: string;
  /** Asks for a mapping, or for more time. Rejects if there is no router that speaks this protocol, or it refuses (MappingRefused). */
  map(wish: MappingWish, signal: AbortSignal): Promise<Mapping>;
  /** Takes the mapping back. */
  unmap(wish: MappingWish, publicPort: number): Promise<void>;
  close(): void;
}

/** The router understood the request, and will not do it. The message says why, in words that continue "Your router ...". */
export class MappingRefused extends Error {
  override name = 'MappingRefused';
}

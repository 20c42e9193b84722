import { type Database, toSeconds } from '../../store/database.ts';

/** An edge says this often that it runs, and is chosen as long as it did so lately. */
const SEEN_EVERY_MS = 20_000;
const LEASE_S = 90;

/** A process that players connect to. */
export interface Edge {
  suffix: string;
  /** Where tunnel processes reach it, without a slash at the end. */
  url: string;
  /** Of Java players. */
  port: number;
  udpPorts: { first: number; last: number };
  /** Of one account. */
  mostTunnels: number;
}

/** The edges of this proxy: this process, or others on the same database. */
export interface Edges {
  /** Resolves to the one with the fewest tunnels, or to that of these names if it runs. `undefined`: no edge runs. */
  choose(preferred: string | undefined): Promise<Edge | undefined>;
  /** Announces this process regularly. Rejects if it cannot. Resolves to a function that stops it. */
  announce(edge: Edge, onError: (error: unknown) => void): Promise<() => Promise<void>>;
}

export function createEdges(database: Database, now: () => number): Edges {
  const seconds = () => toSeconds(now());

  async function write({ suffix, url, port, udpPorts, mostTunnels }: Edge): Promise<void> {
    const values = {
      url,
      port,
      first_udp_port: udpPorts.first,
      last_udp_port: udpPorts.last,
      most_tunnels: mostTunnels,
      seen_at: seconds(),
    };
    await database
      .insertInto('edge')
      .values({ suffix, ...values })
      .onConflict((conflict) => conflict.column('suffix').doUpdateSet(values))
      .execute();
  }

  return {
    async choose(preferred) {
      const rows = await database
        .selectFrom('edge')
        .selectAll()
        .select(({ selectFrom }) =>
          selectFrom('tunnel')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('tunnel.suffix', '=', 'edge.suffix')
            .as('tunnels'),
        )
        .where('seen_at', '>=', seconds() - LEASE_S)
        .execute();
      const row =
        rows.find(({ suffix }) => suffix === preferred) ??
        rows.toSorted((one, other) => Number(one.tunnels) - Number(other.tunnels))[0];
      return (
        row && {
          suffix: row.suffix,
          url: row.url,
          port: row.port,
          udpPorts: { first: row.first_udp_port, last: row.last_udp_port },
          mostTunnels: row.most_tunnels,
        }
      );
    },
    async announce(edge, onError) {
      await write(edge);
      const timer = setInterval(() => write(edge).catch(onError), SEEN_EVERY_MS);
      return async () => {
        clearInterval(timer);
        await database
          .deleteFrom('edge')
          .where('suffix', '=', edge.suffix)
          .where('url', '=', edge.url)
          .execute()
          .catch(onError);
      };
    },
  };
}

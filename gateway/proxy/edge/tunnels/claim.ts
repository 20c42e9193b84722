import { randomBytes, randomUUID } from 'node:crypto';
import { problemOfRelayName } from '../../../../shared/domain/tunnel/relay-name.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Database, isUniqueViolation, toSeconds } from '../../store/database.ts';
import type { Edge, Edges } from './edges.ts';
import { releaseName, takeName } from './names.ts';
import { type Edition, type Tunnel, tunnelOf } from './tunnels.ts';

/** Two that take the same free port at once: one of them looks again. */
const ATTEMPTS = 5;
const LONGEST_SLUG = 40;
const RANDOM_BYTES = 3;

export interface Claim {
  daemonId: string;
  accountId: string;
  instance: string;
  edition: Edition;
  /** The wish of the owner; absent: the present one, or one made from the instance's id. */
  hostname?: string | undefined;
}

export interface ClaimOptions {
  database: Database;
  edges: Edges;
  now: () => number;
}

/** The address of a server, and where its tunnel process connects to. */
export interface Claimed {
  edge: Edge;
  tunnel: Tunnel;
}

/**
 * Gives a server an address, or the one that it has. Throws `invalid_state` if no edge runs, the name belongs to another account or server, the
 * account has too many, or the tunnel is suspended.
 */
export async function claimTunnel(claim: Claim, { database, edges, now }: ClaimOptions): Promise<Claimed> {
  const { daemonId, instance } = claim;
  for (let attempt = 1; ; attempt++) {
    const former = await database
      .selectFrom('tunnel')
      .selectAll()
      .where('daemon_id', '=', daemonId)
      .where('instance', '=', instance)
      .executeTakeFirst();
    const edge = await edges.choose(former?.suffix);
    if (!edge)
      throw refused(
        'This proxy does not relay players.',
        'Ask whoever runs it to turn it on (--edge), or choose another way.',
      );
    try {
      const tunnel = await database
        .transaction()
        .execute((transaction) =>
          claimAt(transaction, claim, { edge, former: former && tunnelOf(former), now: toSeconds(now()) }),
        );
      return { edge, tunnel };
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

interface Present {
  edge: Edge;
  former: Tunnel | undefined;
  now: number;
}

async function claimAt(on: Database, claim: Claim, { edge, former, now }: Present): Promise<Tunnel> {
  const { daemonId, accountId, instance, edition } = claim;
  // Locks the account's row: otherwise tunnels that are made at once would not count each other.
  await on
    .updateTable('account')
    .set(({ ref }) => ({ disabled: ref('disabled') }))
    .where('id', '=', accountId)
    .execute();
  if (former?.isSuspended)
    throw refused('The operator of the proxy has suspended this address.', 'Ask whoever runs the proxy.');
  const { suffix } = edge;
  const stays = former?.suffix === suffix ? former : undefined;
  if (!former) await requireSpace(on, accountId, edge.mostTunnels);
  const label = await nameFor(on, claim, { suffix, present: stays?.label, now });
  const keepsPort = stays?.edition === edition;
  const udpPort = edition === 'java' ? undefined : keepsPort ? stays.udpPort : await freePort(on, edge);
  const changed = { suffix, label, edition, udp_port: udpPort ?? null, used_at: now, account_id: accountId };
  const row = former
    ? await on.updateTable('tunnel').set(changed).where('id', '=', former.id).returningAll().executeTakeFirst()
    : await on
        .insertInto('tunnel')
        .values({ id: randomUUID(), daemon_id: daemonId, instance, is_suspended: 0, created_at: now, ...changed })
        .returningAll()
        .executeTakeFirst();
  if (!row) throw refused('The tunnel was removed meanwhile.', 'Try again.');
  if (former && (former.label !== label || former.suffix !== suffix))
    await releaseName(on, { suffix: former.suffix, label: former.label, now });
  return tunnelOf(row);
}

async function requireSpace(on: Database, accountId: string, most: number): Promise<void> {
  const { count } = await on
    .selectFrom('tunnel')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most)
    throw refused(
      `This account has ${most} servers with an address at the proxy, the maximum.`,
      'Turn off the tunnel of a server that does not need it.',
    );
}

async function nameFor(
  on: Database,
  { accountId, daemonId, instance, hostname }: Claim,
  { suffix, present, now }: { suffix: string; present: string | undefined; now: number },
): Promise<string> {
  const wished = hostname ?? present;
  if (wished === undefined) {
    const made = generatedName(instance);
    if (await takeName(on, { suffix, label: made, accountId, now })) return made;
    throw refused('No name could be found for this server.', 'Set a "hostname" for it.');
  }
  const problem = problemOfRelayName(wished);
  if (problem !== undefined) throw new GamekeeperError('invalid_request', `The name "${wished}" ${problem}.`);
  const other = await on
    .selectFrom('tunnel')
    .select('id')
    .where('suffix', '=', suffix)
    .where('label', '=', wished)
    .where(({ not, and, eb }) => not(and([eb('daemon_id', '=', daemonId), eb('instance', '=', instance)])))
    .executeTakeFirst();
  if (other || !(await takeName(on, { suffix, label: wished, accountId, now })))
    throw refused(`The name ${wished}.${suffix} is taken.`, 'Choose another one.');
  return wished;
}

function generatedName(instance: string): string {
  const slug = instance
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, '');
  const random = randomBytes(RANDOM_BYTES).toString('hex');
  return slug === '' ? `server-${random}` : `${slug}-${random}`;
}

async function freePort(on: Database, { suffix, udpPorts }: Edge): Promise<number> {
  const rows = await on.selectFrom('tunnel').select('udp_port').where('suffix', '=', suffix).execute();
  const taken = new Set(rows.map(({ udp_port: port }) => port));
  for (let port = udpPorts.first; port <= udpPorts.last; port++) if (!taken.has(port)) return port;
  throw refused('All ports for Bedrock Edition at this proxy are taken.', 'Ask whoever runs the proxy for more.');
}

function refused(detail: string, resolution: string): GamekeeperError {
  return new GamekeeperError('invalid_state', detail, { resolution });
}

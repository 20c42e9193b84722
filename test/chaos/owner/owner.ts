import type { Backup } from '../../../shared/schema/backup.ts';
import type { CreatedToken } from '../../../shared/schema/credentials.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import type { Answer } from '../../support/http/request-json.ts';
import { until } from '../../support/machine/until.ts';
import type { Action, Disruption } from '../steps/steps.ts';
import { type Expected, expected, type KnownServer, type Ledger } from './ledger.ts';
import type { PatientClient } from './patient-client.ts';

/** How long a server may take to stop before a restore. Milliseconds. */
const STOPPED_MS = 30_000;

/** Actions that use the API; the others disrupt processes. */
export type OwnerAction = Exclude<Action, Disruption>;

/** The outcome of an action on a backup or token while none exists. */
const NOTHING = 'to nothing yet';
/** `undefined`: the connection ended without an answer. */
type Outcome = Answer<unknown> | undefined | typeof NOTHING;

/** The owner of the servers, who uses the API and keeps a ledger of what was acknowledged. */
export interface Owner {
  readonly ledger: Ledger;
  /** Takes one action. Resolves to its outcome in words. */
  act(action: OwnerAction): Promise<string>;
}

export interface OwnerOptions {
  client: PatientClient;
  servers: ReadonlyArray<{ id: string; comesBack: boolean }>;
  /** Initial memory of each server, in MB. */
  memoryMb: number;
  /** Initial setting `limits.burst`. */
  burst: number;
  /** Called for a damaged backup. */
  onFault(what: string): void;
}

export function createOwner({ client, servers, memoryMb, burst, onFault }: OwnerOptions): Owner {
  const ledger: Ledger = {
    servers: servers.map(({ id, comesBack }) => ({
      id,
      comesBack,
      wish: expected('running'),
      backups: new Set(),
      memoryMb: expected(memoryMb),
    })),
    tokens: [],
    burst: expected(burst),
  };
  let made = 0;

  /** Requests a change and records the possible values. */
  async function change<T, A>(
    [register, value]: [Expected<T>, T],
    ask: () => Promise<Answer<A> | undefined>,
  ): Promise<Answer<A> | undefined> {
    register.ask(value);
    const answer = await ask();
    if (answer && answer.status < 300) register.acknowledge(value);
    // After a 5xx, the process that was killed may still have made the change.
    else if (answer && answer.status < 500) register.refuse(value);
    return answer;
  }

  /** A restart that is cut off may already have stopped the server. */
  function wish(server: KnownServer, operation: 'start' | 'stop' | 'restart'): Promise<Outcome> {
    if (operation === 'restart') server.wish.ask('stopped');
    const wished = operation === 'stop' ? 'stopped' : 'running';
    return change([server.wish, wished], () => client.request('POST', `/instances/${server.id}/${operation}`));
  }

  async function restore(server: KnownServer, which: number): Promise<Outcome> {
    const backup = nth([...server.backups], which);
    if (backup === undefined) return NOTHING;
    await wish(server, 'stop');
    await until('the server is stopped', async () => /stopped|crashed/.test(await phaseOf(server.id)), {
      deadlineMs: STOPPED_MS,
    }).catch(() => undefined); // Then the restore is refused.
    const answer = await client.request('POST', `/instances/${server.id}/backups/${backup}/restore`);
    await wish(server, 'start');
    return answer;
  }

  async function phaseOf(id: string): Promise<string> {
    return (await client.request<Instance>('GET', `/instances/${id}`))?.body.phase ?? '';
  }

  async function answerTo(action: OwnerAction): Promise<Outcome> {
    const server = ledger.servers['server' in action ? action.server : 0]!;
    const base = `/instances/${server.id}`;
    switch (action.do) {
      case 'start':
      case 'stop':
      case 'restart':
        return wish(server, action.do);
      case 'backup': {
        const answer = await client.request<Backup>('POST', `${base}/backup`);
        if (answer?.status === 200) server.backups.add(answer.body.backupId);
        return answer;
      }
      case 'verify': {
        const backup = nth([...server.backups], action.which);
        if (backup === undefined) return NOTHING;
        const answer = await client.request('POST', `${base}/backups/${backup}/verify`);
        if (answer?.status === 422) onFault(`${backup} is damaged: ${JSON.stringify(answer.body)}`);
        return answer;
      }
      case 'restore':
        return restore(server, action.which);
      case 'command':
        return client.request('POST', `${base}/commands`, { body: { command: action.command } });
      case 'configure': {
        // The demo server works with any of these.
        const value = memoryMb + (action.value % 1_000);
        const body = { memoryMb: value };
        return change([server.memoryMb, value], () => client.request('PATCH', base, { body }));
      }
      case 'set': {
        const value = burst + action.value;
        const body = { limits: { burst: value } };
        return change([ledger.burst, value], () => client.request('PUT', '/api/settings', { body, as: 'session' }));
      }
      case 'token': {
        const body = { name: `chaos ${++made}` };
        const answer = await client.request<CreatedToken>('POST', '/api/tokens', { body, as: 'session' });
        if (answer?.status === 201)
          ledger.tokens.push({ id: answer.body.id, token: answer.body.token, valid: expected(true) });
        return answer;
      }
      case 'revoke': {
        const token = nth(ledger.tokens, action.which);
        if (!token) return NOTHING;
        const revoke = () => client.request('DELETE', `/api/tokens/${token.id}`, { as: 'session' });
        const answer = await change([token.valid, false], revoke);
        // An earlier revocation succeeded although its answer was lost.
        if (answer?.status === 404) token.valid.acknowledge(false);
        return answer;
      }
    }
  }

  return {
    ledger,
    async act(action) {
      const answer = await answerTo(action);
      if (answer === undefined) return 'cut off';
      if (answer === NOTHING) return NOTHING;
      const { code } = (answer.body ?? {}) as { code?: string };
      return answer.status < 300 ? 'done' : `${answer.status} ${code}`;
    },
  };
}

function nth<T>(items: readonly T[], which: number): T | undefined {
  return items[which % items.length];
}

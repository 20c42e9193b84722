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

/** The owner of the servers, who uses the API and keeps a ledger of what was acknowledged. */
export class Owner {
  readonly ledger: Ledger;
  readonly #options: OwnerOptions;
  #tokens = 0;

  constructor(options: OwnerOptions) {
    const { servers, memoryMb, burst } = options;
    this.#options = options;
    this.ledger = {
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
  }

  /** Takes one action. Resolves to its outcome in words. */
  async act(action: OwnerAction): Promise<string> {
    const answer = await this.#answerTo(action);
    if (answer === undefined) return 'cut off';
    if (answer === NOTHING) return NOTHING;
    const { code } = (answer.body ?? {}) as { code?: string };
    return answer.status < 300 ? 'done' : `${answer.status} ${code}`;
  }

  #answerTo(action: OwnerAction): Promise<Outcome> {
    const { client } = this.#options;
    const server = this.ledger.servers['server' in action ? action.server : 0]!;
    switch (action.do) {
      case 'start':
      case 'stop':
      case 'restart':
        return this.#wish(server, action.do);
      case 'backup':
        return this.#backUp(server);
      case 'verify':
        return this.#verify(server, action.which);
      case 'restore':
        return this.#restore(server, action.which);
      case 'command':
        return client.request('POST', `/instances/${server.id}/commands`, { body: { command: action.command } });
      case 'configure':
        return this.#configure(server, action.value);
      case 'set':
        return this.#set(action.value);
      case 'token':
        return this.#createToken();
      case 'revoke':
        return this.#revoke(action.which);
    }
  }

  /** Requests a change and records the possible values. */
  async #change<T, A>(
    [register, value]: [Expected<T>, T],
    ask: () => Promise<Answer<A> | undefined>,
  ): Promise<Answer<A> | undefined> {
    register.ask(value);
    const answer = await ask();
    if (answer && answer.status < 300) register.acknowledge(value);
    // After a 5xx, the process that was killed may still have made the change.
    else if (answer && answer.status < 500) register.refuse();
    return answer;
  }

  /** A restart that is cut off may already have stopped the server. */
  #wish(server: KnownServer, operation: 'start' | 'stop' | 'restart'): Promise<Outcome> {
    if (operation === 'restart') server.wish.ask('stopped');
    const wished = operation === 'stop' ? 'stopped' : 'running';
    const route = `/instances/${server.id}/${operation}`;
    return this.#change([server.wish, wished], () => this.#options.client.request('POST', route));
  }

  async #backUp({ id, backups }: KnownServer): Promise<Outcome> {
    const answer = await this.#options.client.request<Backup>('POST', `/instances/${id}/backup`);
    if (answer?.status === 200) backups.add(answer.body.backupId);
    return answer;
  }

  async #verify({ id, backups }: KnownServer, which: number): Promise<Outcome> {
    const backup = nth([...backups], which);
    if (backup === undefined) return NOTHING;
    const answer = await this.#options.client.request('POST', `/instances/${id}/backups/${backup}/verify`);
    if (answer?.status === 422) this.#options.onFault(`${backup} is damaged: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async #restore(server: KnownServer, which: number): Promise<Outcome> {
    const { client } = this.#options;
    const backup = nth([...server.backups], which);
    if (backup === undefined) return NOTHING;
    await this.#wish(server, 'stop');
    await until('the server is stopped', async () => /stopped|crashed/.test(await this.#phaseOf(server.id)), {
      deadlineMs: STOPPED_MS,
    }).catch(() => undefined); // Then the restore is refused.
    const answer = await client.request('POST', `/instances/${server.id}/backups/${backup}/restore`);
    await this.#wish(server, 'start');
    return answer;
  }

  #configure({ id, memoryMb }: KnownServer, number: number): Promise<Outcome> {
    // The demo server works with any of these.
    const value = this.#options.memoryMb + (number % 1_000);
    const body = { memoryMb: value };
    return this.#change([memoryMb, value], () => this.#options.client.request('PATCH', `/instances/${id}`, { body }));
  }

  #set(number: number): Promise<Outcome> {
    const value = this.#options.burst + number;
    const request = { body: { limits: { burst: value } }, as: 'session' } as const;
    return this.#change([this.ledger.burst, value], () =>
      this.#options.client.request('PUT', '/api/settings', request),
    );
  }

  async #createToken(): Promise<Outcome> {
    const request = { body: { name: `chaos ${++this.#tokens}` }, as: 'session' } as const;
    const answer = await this.#options.client.request<CreatedToken>('POST', '/api/tokens', request);
    if (answer?.status === 201)
      this.ledger.tokens.push({ id: answer.body.id, token: answer.body.token, valid: expected(true) });
    return answer;
  }

  async #revoke(which: number): Promise<Outcome> {
    const token = nth(this.ledger.tokens, which);
    if (!token) return NOTHING;
    const answer = await this.#change([token.valid, false], () =>
      this.#options.client.request('DELETE', `/api/tokens/${token.id}`, { as: 'session' }),
    );
    // An earlier revocation succeeded although its answer was lost.
    if (answer?.status === 404) token.valid.acknowledge(false);
    return answer;
  }

  async #phaseOf(id: string): Promise<string> {
    return (await this.#options.client.request<Instance>('GET', `/instances/${id}`))?.body.phase ?? '';
  }
}

function nth<T>(items: readonly T[], which: number): T | undefined {
  return items[which % items.length];
}

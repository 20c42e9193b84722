import { join } from 'node:path';
import type { DescribedOperation } from '../openapi/described-operations.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import type { FuzzAnswer, SentRequest } from './answer-faults.ts';
import type { Caller, FuzzRequest } from './fuzz-request.ts';

/** What there is to be asked for in a running Gamekeeper, and what it takes to let anybody do anything to it. */
export interface RunningWorld {
  credentials(caller: Caller, operation: DescribedOperation): Record<string, string>;
  known(name: string, operation: DescribedOperation): readonly string[];
  tamed(operation: DescribedOperation, fuzz: FuzzRequest): FuzzRequest;
  mended(operation: DescribedOperation, fuzz: FuzzRequest, answer: FuzzAnswer): Promise<void>;
  /** How many requests an operation gets, beside one that answers from memory. */
  shareOf(operationId: string): number;
  /** Whether the state of things explains a failure. */
  mayFail(code: string, sent: SentRequest): boolean;
  /** What no answer may hold. */
  secrets: readonly string[];
}

/** It runs and stays; the spares are started, stopped, changed and deleted. */
const STEADY = 'steady';
/** Time for a request that was under way when its instance was deleted, milliseconds. */
const DELETED_LATELY_MS = 5_000;
const USER = { username: 'mallory', password: 'mallory has a password' };
/** For operations on users. */
const FUZZED = { username: 'fuzzed', password: 'they had a password' };

/** Operations on instances that `steady` is kept from, by what their ids begin with once the family is taken off. */
const ENDS_OR_CHANGES =
  /^(?:start|stop|restart|kill|delete|update|restore)Instance|^(?:restore|delete|drill|verify|replicate|pin|get|download)Backup|^setProperties/;
const OF_BACKUP = /Backup$/;
/** Of the signed-in user themself: not of the one that everything else needs. */
const OWN_ACCOUNT =
  /^(?:logout|changePassword|setUpTotp|removeTotp|renewRecoveryCodes|removeRecoveryCodes|getSession)$/;
/** They hash passwords, move archives or wait for a process. */
const SLOW =
  /^(?:login|changePassword|createUser|setUpTotp|removeTotp|renewRecoveryCodes|removeRecoveryCodes|(?:create|restore|verify|drill|replicate|download)Backup)$/;

/** They wait for the game server or its process. */
const WAITS = /^(?:start|stop|restart|kill|create|delete|update)Instance|^setSettings|Player$|^runCommand/;

export async function runningWorld(gamekeeper: Gamekeeper): Promise<RunningWorld> {
  const origin = new URL(gamekeeper.addresses().panel).origin;
  const tokens: string[] = [];
  const backups: string[] = [];
  const spares: string[] = [];
  let made = 0;
  let deleting = 0;
  let deletedAt = Number.NEGATIVE_INFINITY;
  const jobs: string[] = [];
  const administrator = `Bearer ${await gamekeeper.token()}`;
  const program = `Bearer ${await gamekeeper.token({ scopes: ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'] })}`;
  const reader = `Bearer ${await gamekeeper.token({ scopes: ['servers:read'] })}`;
  const admin = { cookie: await gamekeeper.login(), origin };
  await succeed('POST', '/api/users', { ...USER, role: 'admin' }, admin);
  let mallory = await signIn();

  await succeed('POST', '/api/users', { ...FUZZED, role: 'viewer' }, admin);
  await succeed('POST', '/instances', { name: STEADY, software: 'demo' });
  for (let n = 0; n < 2; n++) await addSpare();
  await succeed('POST', `/instances/${STEADY}/start`);
  await gamekeeper.waitForStatus(STEADY, 'running');
  await succeed('POST', `/instances/${STEADY}/commands`, { command: 'demo join Steve' });
  await backUp();

  async function succeed<T>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<T> {
    const answer = await gamekeeper.api<T>(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function signIn(): Promise<{ cookie: string; origin: string }> {
    const answer = await gamekeeper.api('POST', '/api/login', USER, {});
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? 'RemoteCookies=none', origin };
  }

  async function addSpare(): Promise<void> {
    const name = `spare-${++made}`;
    await succeed('POST', '/instances', { name, software: 'demo' });
    spares.push(name);
  }

  /** Of the first spare, which is the one that operations on backups are about. */
  async function backUp(): Promise<void> {
    const answer = await gamekeeper.api<{ backupId: string }>('POST', `/instances/${spares[0]}/backup`);
    if (answer.status === 200) backups.push(answer.body.backupId);
  }

  function instancesFor(operationId: string): readonly string[] {
    if (OF_BACKUP.test(operationId) && operationId !== 'createBackup') return spares.slice(0, 1);
    return ENDS_OR_CHANGES.test(operationId) ? spares : [STEADY, STEADY, ...spares];
  }

  async function replaceSpares(): Promise<void> {
    deletedAt = performance.now();
    const { body } = await gamekeeper.api<{ id: string }[]>('GET', '/instances');
    const left = spares.filter((name) => body.some(({ id }) => id === name));
    spares.splice(0, spares.length, ...left);
    while (spares.length < 2) await addSpare();
    backups.length = 0;
  }

  return {
    mayFail(code, { address }) {
      // The settings of such a test lead to no vendor.
      if (code === 'vendor_unavailable') return true;
      if (!address.includes('/spare-')) return false;
      // Who is deleted under a request does not answer it; who is stopped or killed does not answer a command.
      if (code === 'worker_unavailable') return deleting > 0 || performance.now() - deletedAt < DELETED_LATELY_MS;
      return code === 'rcon_unavailable';
    },
    secrets: [USER.password, administrator, program, reader, admin.cookie],
    credentials(caller, { operation }) {
      if (caller === 'administrator') return { authorization: administrator };
      if (caller === 'program') return { authorization: program };
      if (caller === 'reader') return { authorization: reader };
      if (caller === 'forger') return { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' };
      if (caller === 'nobody') return {};
      return OWN_ACCOUNT.test(plain(operation.operationId)) ? mallory : admin;
    },
    known(name, { path, operation }) {
      if (name === 'id' && path.startsWith('/api/tokens/')) return tokens;
      if (name === 'id') return instancesFor(plain(operation.operationId));
      if (name === 'backupId') return backups;
      if (name === 'jobId') return jobs;
      if (name === 'username') return [FUZZED.username];
      return name === 'name' ? ['Steve', 'Nobody'] : [];
    },
    tamed(operation, fuzz) {
      const { body } = fuzz;
      if (plain(operation.operation.operationId) === 'deleteInstance') deleting++;
      if (body === undefined) return fuzz;
      let value: unknown;
      try {
        value = JSON.parse(body.text);
      } catch {
        return fuzz; // What is no JSON reaches nothing.
      }
      const tame = TAMING[plain(operation.operation.operationId)];
      if (tame === undefined || !isRecord(value)) return fuzz;
      tame(value, join(gamekeeper.home, 'elsewhere'));
      return { ...fuzz, body: { ...body, text: JSON.stringify(value) } };
    },
    async mended({ operation }, { caller }, { status, body }) {
      const id = plain(operation.operationId);
      const answer = status < 300 && body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {};
      if (typeof answer.jobId === 'string') jobs.push(answer.jobId);
      if (id === 'createToken' && typeof answer.id === 'string') tokens.push(answer.id);
      if ((id === 'createInstance' || id === 'cloneInstance') && typeof answer.id === 'string')
        await gamekeeper.api('DELETE', `/instances/${answer.id}?files=delete&backups=delete`);
      if (id === 'importInstance' && typeof answer.id === 'string')
        await gamekeeper.api('DELETE', `/instances/${answer.id}?backups=delete`);
      if (id === 'createUser' && typeof answer.username === 'string')
        await gamekeeper.api('DELETE', `/api/users/${answer.username}`, undefined, admin);
      if (id === 'deleteInstance') deleting--;
      if (id === 'deleteInstance' && status < 300) await replaceSpares();
      if (id === 'removeUser' && status < 300)
        await succeed('POST', '/api/users', { ...FUZZED, role: 'viewer' }, admin);
      if (id === 'deleteBackup' && status < 300) backups.length = 0;
      if (backups.length === 0 && OF_BACKUP.test(id)) await backUp();
      if (caller === 'signed-in' && OWN_ACCOUNT.test(id) && (status === 401 || id === 'logout'))
        mallory = await signIn();
    },
    shareOf(operationId) {
      const name = plain(operationId);
      return SLOW.test(name) ? 0.1 : WAITS.test(name) ? 0.3 : 1.2;
    },
  };
}

/** Without the prefix of its family: `v1GetInstance`, `panelStartInstance`. */
function plain(operationId: string): string {
  return operationId.replace(/^(?:v1|panel)([A-Z])/, (_, first: string) => first.toLowerCase());
}

/** What takes out of a body what would reach beyond the test. */
const TAMING: Readonly<Record<string, (body: Record<string, unknown>, elsewhere: string) => void>> = {
  createInstance: tameInstance,
  importInstance(body, elsewhere) {
    tameInstance(body, elsewhere);
    // Nothing there, and the refusal names it.
    for (const key of ['directory', 'archive']) if (typeof body[key] === 'string') body[key] = '/nowhere/at/all';
  },
  updateInstance: tameInstance,
  setSettings(body) {
    for (const key of ['remoteControl', 'limits', 'vendors', 'log']) if (isRecord(body[key])) delete body[key];
    if (isRecord(body.backups)) {
      delete body.backups.directory;
      delete body.backups.stores;
    }
  },
};

function tameInstance(body: Record<string, unknown>, elsewhere: string): void {
  if (typeof body.directory === 'string' && body.directory.startsWith('/')) body.directory = elsewhere;
  if (isRecord(body.launch) && Array.isArray(body.launch.command)) body.launch.command = ['./nothing-is-here'];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

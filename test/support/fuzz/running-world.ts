import { join } from 'node:path';
import type { DescribedOperation } from '../openapi/described-operations.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import type { FuzzAnswer, SentRequest } from './answer-faults.ts';
import type { Caller, FuzzRequest } from './fuzz-request.ts';
import { FuzzResources, STEADY } from './fuzz-resources.ts';

/** How to fuzz a running Gamekeeper. */
export interface RunningWorld {
  credentials(caller: Caller, operation: DescribedOperation): Record<string, string>;
  known(name: string, operation: DescribedOperation): readonly string[];
  tamed(operation: DescribedOperation, fuzz: FuzzRequest): FuzzRequest;
  mended(operation: DescribedOperation, fuzz: FuzzRequest, answer: FuzzAnswer): Promise<void>;
  /** Returns how many requests an operation gets, relative to one that is answered from memory. */
  shareOf(operationId: string): number;
  /** Returns whether the current state explains a failure. */
  mayFail(code: string, sent: SentRequest): boolean;
  /** Texts that no response may contain. */
  secrets: readonly string[];
}

/** How long a request may be under way after its instance was deleted. Milliseconds. */
const DELETED_LATELY_MS = 5_000;

/** Operations that must not be applied to the instance `steady`, by their ids without the prefix of the family. */
const ENDS_OR_CHANGES =
  /^(?:start|stop|restart|kill|delete|update|restore)Instance|^(?:restore|delete|drill|verify|replicate|pin|get|download)Backup|^setProperties/;
const OF_BACKUP = /Backup(?:Files?)?$/;
/** Operations on the signed-in user, sent with another account than all others. */
const OWN_ACCOUNT =
  /^(?:logout|changePassword|setUpTotp|removeTotp|renewRecoveryCodes|removeRecoveryCodes|getSession)$/;
/** Operations that hash passwords, move archives, or ask vendors again and again, of whom none answers. */
const SLOW =
  /^(?:login|changePassword|createUser|setUpTotp|removeTotp|renewRecoveryCodes|removeRecoveryCodes|(?:create|restore|verify|drill|replicate|download)Backup|searchModpacks|listModpackVersions|createFromModpack)$/;
/** Operations that wait for the game server or its process. */
const WAITS = /^(?:start|stop|restart|kill|create|delete|update)Instance|^setSettings|Player$|^runCommand|Gamerules$/;

export async function runningWorld(gamekeeper: Gamekeeper): Promise<RunningWorld> {
  const resources = await FuzzResources.create(gamekeeper);
  const { credentials, tokens, jobs, backups, spares } = resources;
  let deleting = 0;
  let deletedAt = Number.NEGATIVE_INFINITY;

  function instancesFor(operationId: string): readonly string[] {
    if (OF_BACKUP.test(operationId) && operationId !== 'createBackup') return spares.slice(0, 1);
    return ENDS_OR_CHANGES.test(operationId) ? spares : [STEADY, STEADY, ...spares];
  }

  /** Deletes what a request has created. */
  async function removeCreated(id: string, created: Record<string, unknown>): Promise<void> {
    if ((id === 'createInstance' || id === 'cloneInstance') && typeof created.id === 'string')
      await gamekeeper.api('DELETE', `/instances/${created.id}?files=delete&backups=delete`);
    if (id === 'importInstance' && typeof created.id === 'string')
      await gamekeeper.api('DELETE', `/instances/${created.id}?backups=delete`);
    if (id === 'createUser' && typeof created.username === 'string')
      await gamekeeper.api('DELETE', `/api/users/${created.username}`, undefined, credentials.admin);
  }

  return {
    mayFail(code, { address }) {
      // These settings have no vendor that answers, and the proxy of the example does not exist.
      if (code === 'vendor_unavailable' || code === 'proxy_unavailable') return true;
      if (!address.includes('/spare-')) return false;
      // A request fails if its instance is deleted meanwhile, and a command if its server is stopped or killed.
      if (code === 'worker_unavailable') return deleting > 0 || performance.now() - deletedAt < DELETED_LATELY_MS;
      return code === 'rcon_unavailable';
    },
    secrets: resources.secrets,
    credentials(caller, { operation }) {
      if (caller === 'forger') return { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' };
      if (caller === 'nobody') return {};
      if (caller !== 'signed-in') return credentials[caller];
      return OWN_ACCOUNT.test(plain(operation.operationId)) ? resources.ownAccount : credentials.admin;
    },
    known(name, { path, operation }) {
      if (name === 'id' && path.startsWith('/api/tokens/')) return tokens;
      if (name === 'id') return instancesFor(plain(operation.operationId));
      if (name === 'backupId') return backups;
      if (name === 'jobId') return jobs;
      if (name === 'username') return [resources.targetUser];
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
        return fuzz; // A body that is not JSON is refused.
      }
      const tame = TAMING[plain(operation.operation.operationId)];
      if (tame === undefined || !isRecord(value)) return fuzz;
      tame(value, join(gamekeeper.home, 'elsewhere'));
      return { ...fuzz, body: { ...body, text: JSON.stringify(value) } };
    },
    async mended({ operation }, { caller }, { status, body }) {
      const id = plain(operation.operationId);
      const succeeded = status < 300;
      const answer = succeeded && body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {};
      if (typeof answer.jobId === 'string') jobs.push(answer.jobId);
      if (id === 'createToken' && typeof answer.id === 'string') tokens.push(answer.id);
      await removeCreated(id, answer);
      if (id === 'deleteInstance') deleting--;
      if (id === 'deleteInstance' && succeeded) {
        deletedAt = performance.now();
        await resources.replaceSpares();
      }
      if (id === 'removeUser' && succeeded) await resources.addTargetUser();
      if (id === 'deleteBackup' && succeeded) backups.length = 0;
      if (backups.length === 0 && OF_BACKUP.test(id)) await resources.backUp();
      if (caller === 'signed-in' && OWN_ACCOUNT.test(id) && (status === 401 || id === 'logout'))
        await resources.signInAgain();
    },
    shareOf(operationId) {
      const name = plain(operationId);
      return SLOW.test(name) ? 0.1 : WAITS.test(name) ? 0.3 : 1.2;
    },
  };
}

/** Returns an operation id without the prefix of its family, as in `v1GetInstance` and `panelStartInstance`. */
function plain(operationId: string): string {
  return operationId.replace(/^(?:v1|panel)([A-Z])/, (_, first: string) => first.toLowerCase());
}

/** Functions that remove everything from a body that would have effects outside of the test. */
const TAMING: Readonly<Record<string, (body: Record<string, unknown>, elsewhere: string) => void>> = {
  createInstance: tameInstance,
  importInstance(body, elsewhere) {
    tameInstance(body, elsewhere);
    // This path does not exist.
    for (const key of ['directory', 'archive']) if (typeof body[key] === 'string') body[key] = '/nowhere/at/all';
  },
  updateInstance: tameInstance,
  setSettings(body) {
    for (const key of ['remoteControl', 'sftp', 'limits', 'vendors', 'log']) if (isRecord(body[key])) delete body[key];
    if (isRecord(body.backups)) {
      delete body.backups.directory;
      delete body.backups.stores;
    }
  },
};

/** The ones of the demo server. */
const SAVE_COMMANDS = { off: 'save-off', flush: 'save-all flush', on: 'save-on', savedPattern: 'Saved the game' };

function tameInstance(body: Record<string, unknown>, elsewhere: string): void {
  if (typeof body.directory === 'string' && body.directory.startsWith('/')) body.directory = elsewhere;
  if (isRecord(body.launch) && Array.isArray(body.launch.command)) body.launch.command = ['./nothing-is-here'];
  // A server that does not know its commands takes minutes to stop or to be saved, and other requests wait for that.
  if (typeof body.stopCommand === 'string') body.stopCommand = 'stop';
  if (isRecord(body.saveCommands) && typeof body.saveCommands.flush === 'string') body.saveCommands = SAVE_COMMANDS;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

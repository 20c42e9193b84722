import type { Scope } from '../../../shared/domain/access/scope.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

/** The running instance that no request stops, changes or deletes. */
export const STEADY = 'steady';
/** How many instances there are for requests that do. */
const SPARES = 2;
const USER = { username: 'mallory', password: 'mallory has a password' };
/** The user for operations on users. */
const TARGET = { username: 'fuzzed', password: 'they had a password' };

type Headers = Record<string, string>;

/** The credentials and resources that fuzzed requests use, which are created again after a request has deleted them. */
export class FuzzResources {
  readonly tokens: string[] = [];
  readonly jobs: string[] = [];
  /** Backups of the first spare instance. */
  readonly backups: string[] = [];
  readonly spares: string[] = [];
  readonly targetUser = TARGET.username;
  /** Headers of an administrator's session and of three tokens. */
  readonly credentials: Readonly<Record<'admin' | 'administrator' | 'program' | 'reader', Headers>>;
  /** Headers of the user whose account is fuzzed. */
  ownAccount: Headers = {};
  readonly #gamekeeper: Gamekeeper;
  #created = 0;

  private constructor(gamekeeper: Gamekeeper, credentials: FuzzResources['credentials']) {
    this.#gamekeeper = gamekeeper;
    this.credentials = credentials;
  }

  static async create(gamekeeper: Gamekeeper): Promise<FuzzResources> {
    const bearer = async (token: Promise<string>) => ({ authorization: `Bearer ${await token}` });
    const admin = { cookie: await gamekeeper.login(), origin: new URL(gamekeeper.addresses().panel).origin };
    const scopes: Scope[] = ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'];
    const resources = new FuzzResources(gamekeeper, {
      admin,
      administrator: await bearer(gamekeeper.token()),
      program: await bearer(gamekeeper.token({ scopes })),
      reader: await bearer(gamekeeper.token({ scopes: ['servers:read'] })),
    });
    await resources.#succeed('POST', '/api/users', { ...USER, role: 'admin' }, admin);
    await resources.signInAgain();
    await resources.addTargetUser();
    await resources.#succeed('POST', '/instances', { name: STEADY, software: 'demo' });
    await resources.replaceSpares();
    await resources.#succeed('POST', `/instances/${STEADY}/start`);
    await gamekeeper.waitForStatus(STEADY, 'running');
    await resources.#succeed('POST', `/instances/${STEADY}/commands`, { command: 'demo join Steve' });
    await resources.backUp();
    return resources;
  }

  /** Texts that no response may contain. */
  get secrets(): string[] {
    const { admin, administrator, program, reader } = this.credentials;
    const tokens = [administrator, program, reader].map(({ authorization }) => authorization ?? '');
    return [USER.password, ...tokens, admin.cookie ?? ''];
  }

  async signInAgain(): Promise<void> {
    const answer = await this.#gamekeeper.api('POST', '/api/login', USER, {});
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? 'RemoteCookies=none';
    this.ownAccount = { ...this.credentials.admin, cookie };
  }

  async addTargetUser(): Promise<void> {
    await this.#succeed('POST', '/api/users', { ...TARGET, role: 'viewer' }, this.credentials.admin);
  }

  async backUp(): Promise<void> {
    const answer = await this.#gamekeeper.api<{ backupId: string }>('POST', `/instances/${this.spares[0]}/backup`);
    if (answer.status === 200) this.backups.push(answer.body.backupId);
  }

  /** Creates spare instances for those that were deleted. */
  async replaceSpares(): Promise<void> {
    const { spares } = this;
    const { body } = await this.#gamekeeper.api<{ id: string }[]>('GET', '/instances');
    const left = spares.filter((name) => body.some(({ id }) => id === name));
    spares.splice(0, spares.length, ...left);
    while (spares.length < SPARES) {
      const name = `spare-${++this.#created}`;
      await this.#succeed('POST', '/instances', { name, software: 'demo' });
      spares.push(name);
    }
    this.backups.length = 0;
  }

  async #succeed(method: string, path: string, body?: object, headers?: Headers): Promise<void> {
    const answer = await this.#gamekeeper.api(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

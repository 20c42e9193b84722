/**
 * What a program scheduled through the hosted proxy does not outlive the access that its owner gave it: schedules pause when the grant is
 * revoked, also while the daemon is not connected, when the daemon is removed at the proxy, and when it is linked again.
 */
import path from 'node:path';
import * as client from 'openid-client';
import t from 'tap';
import type { AuditPage } from '../../shared/schema/audit.ts';
import type { Schedule } from '../../shared/schema/schedule.ts';
import { requestJson } from '../support/http/request-json.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';

const BACK_DOOR = { id: 'door', name: 'Door', cron: '0 4 * * *', action: { type: 'command', command: 'op mallory' } };
const OWN = { id: 'own', name: 'Own', cron: '0 5 * * *', action: { type: 'backup' } };
const ENDED = /saved by a program whose access at the hosted proxy has ended/;
/** The daemon asks the proxy once it is connected again. */
const PAUSES_WITHIN_MS = 60_000;
const where = '/instances/demo/schedules';

const gamekeeper = await startGamekeeper(t);
const world = await oauthWorld(t, { GAMEKEEPER_PROXY_PORT: String(await freePort()) });
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const base = await linkToProxy(t, gamekeeper, world);
await untilConnected(gamekeeper);
const browser = await world.browser('anna');

/** A program that was let in saves the back door. Resolves to its tokens. */
async function saveBackDoor() {
  await gamekeeper.api('PUT', where, { schedules: [OWN] });
  const tokens = await world.tokens(browser, [path.basename(base)]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const saved = await requestJson('PUT', new URL(`${base}${where}`), {
    headers,
    body: { schedules: [OWN, BACK_DOOR] },
  });
  if (saved.status !== 200 || (await backDoor()).paused !== undefined) throw new Error('the schedule does not run');
  return tokens;
}

async function backDoor(): Promise<Schedule> {
  const { body } = await gamekeeper.api<{ schedules: Schedule[] }>('GET', where);
  const [own, door] = body.schedules;
  if (own?.paused !== undefined || !door) throw new Error(`Only the other is to pause: ${JSON.stringify(body)}`);
  return door;
}

function paused(): Promise<Schedule> {
  const look = async () => {
    const door = await backDoor();
    return door.paused === undefined ? undefined : door;
  };
  return until('it is paused', look, { deadlineMs: PAUSES_WITHIN_MS });
}

t.test('revoking the grant of a program pauses what it scheduled', async (t) => {
  const tokens = await saveBackDoor();
  await client.tokenRevocation(world.program, tokens.refresh_token ?? '');
  t.match(await paused(), {
    paused: ENDED,
    pauseReason: 'access-ended',
    nextRuns: [],
    savedBy: /^oauth \S+ \(client \S+\)$/,
  });
  const admin = await signedInAdmin(gamekeeper);
  await until('the audit trail says so', async () => {
    const { body } = await admin.api<AuditPage>('GET', '/api/audit?instance=demo');
    return body.entries.some(({ who, path: changed }) => who === 'schedules' && changed === `${where}/door`);
  });
});

t.test(
  'a new grant of the same program resumes nothing by itself, and allows no more than its own scopes',
  async (t) => {
    const former = await saveBackDoor();
    await client.tokenRevocation(world.program, former.refresh_token ?? '');
    await paused();
    const put = async (scope: string | undefined, door: object) => {
      const tokens = await world.tokens(browser, [path.basename(base)], scope === undefined ? {} : { scope });
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return requestJson('PUT', new URL(`${base}${where}`), { headers, body: { schedules: [OWN, door] } });
    };
    t.match(await put('servers:read', { ...BACK_DOOR, resume: true }), { status: 403 });
    t.match(await put(undefined, BACK_DOOR), { status: 200 });
    t.match(await backDoor(), { paused: ENDED }, 'sent back as it was');
    t.match(await put(undefined, { ...BACK_DOOR, resume: true }), { status: 200 });
    t.equal((await backDoor()).paused, undefined, 'with its present access');
  },
);

t.test('a grant that is revoked while the daemon is not connected counts once it is', async (t) => {
  const tokens = await saveBackDoor();
  await gamekeeper.endDaemon('SIGKILL');
  await client.tokenRevocation(world.program, tokens.refresh_token ?? '');
  await gamekeeper.startDaemon();
  t.match(await paused(), { paused: ENDED });
});

t.test('linking again pauses what was scheduled through the former link', async (t) => {
  await untilConnected(gamekeeper);
  await saveBackDoor();
  await linkToProxy(t, gamekeeper, world);
  t.match(await paused(), { paused: ENDED });
});

t.test('removing the daemon at the proxy does so as well, also while it is not connected', async (t) => {
  await untilConnected(gamekeeper);
  await saveBackDoor();
  const remove = `/account/daemons/${path.basename(base)}/remove`;
  await gamekeeper.endDaemon('SIGKILL');
  await browser.submit(await browser.open('/account'), remove);
  await gamekeeper.startDaemon();
  t.match(await paused(), { paused: ENDED });
});

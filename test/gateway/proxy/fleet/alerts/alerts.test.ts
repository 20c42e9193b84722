/** Alerts from the report to the webhook, on both databases, with two replicas and real receivers. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { createDelivery } from '../../../../../gateway/proxy/fleet/alerts/deliver.ts';
import { createEvaluation } from '../../../../../gateway/proxy/fleet/alerts/evaluate.ts';
import type { AlertMessage } from '../../../../../gateway/proxy/fleet/alerts/message.ts';
import { send } from '../../../../../gateway/proxy/fleet/alerts/send.ts';
import { createAlertTargets } from '../../../../../gateway/proxy/fleet/alerts/targets.ts';
import { createTelemetryStore } from '../../../../../gateway/proxy/fleet/telemetry/telemetry-store.ts';
import { toSeconds } from '../../../../../gateway/proxy/store/database.ts';
import { createLogger } from '../../../../../shared/node/logger.ts';
import { type TestStore, withEachDatabase } from '../../../../support/proxy/proxy-store.ts';
import { registeredDaemons } from '../../../../support/proxy/registered-daemons.ts';
import { reportedInstance, telemetryReport } from '../../../../support/proxy/telemetry-report.ts';

const log = createLogger({ name: 'proxy', level: 'silent' });
const issuer = 'https://proxy.example.net';

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

async function receiver(t: Test) {
  const received: Received[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const { status, headers = {} } = answers.shift() ?? { status: 204 };
    response.writeHead(status, headers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return { received, answers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function world(t: Test, store: TestStore) {
  const { database, vault, now } = store;
  const own = await registeredDaemons(store);
  const online = new Set<string>();
  // Only PostgreSQL can have replicas; the embedded database is for one process.
  const other = t.name === 'PostgreSQL' ? await store.again() : database;
  const connected = async (ids: readonly string[]) => new Set(ids.filter((id) => online.has(id)));
  const replicas = [database, other].map((one) => {
    const targets = createAlertTargets({ database: one, vault, allowsPrivate: true, now });
    const post = (request: Omit<Parameters<typeof send>[0], 'allowsPrivate'>) =>
      send({ ...request, allowsPrivate: true });
    return {
      targets,
      evaluate: createEvaluation({ database: one, targets, issuer, now, connected }),
      deliver: createDelivery({ database: one, targets, send: post, log, now }),
    };
  });
  const telemetry = createTelemetryStore(database, now);
  return {
    ...own,
    online,
    targets: replicas[0]!.targets,
    hook: await receiver(t),
    /** Both replicas look and send at the same time. */
    async round() {
      await Promise.all(replicas.map(({ evaluate }) => evaluate()));
      await Promise.all(replicas.map(({ deliver }) => deliver()));
    },
    async report(daemonId: string, ...args: Parameters<typeof telemetryReport>) {
      await telemetry.write([{ daemonId, at: toSeconds(now()), report: telemetryReport(...args) }]);
    },
    forget: telemetry.forget,
  };
}

withEachDatabase(t, async (t, store) => {
  const { clock, now, database } = store;
  const { accountId, register, online, targets, hook, round, report, forget } = await world(t, store);
  const { received, answers } = hook;
  const messages = () => received.splice(0).map(({ body }) => JSON.parse(body) as AlertMessage);
  const attic = await register('Attic');
  online.add(attic);
  const target = await targets.add(accountId, { kind: 'webhook', url: hook.url });

  await t.test('a crash is told once, signed, and so is its end', async (t) => {
    await report(attic, { instances: [reportedInstance({ phase: 'crashed', name: 'Survival' })] });
    await round();
    await round();
    t.equal(received.length, 1);
    const [{ headers, body }] = received as [Received];
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(target.secret.replace('whsec_', ''), 'base64');
    t.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    t.match(messages(), [
      {
        type: 'alerts',
        url: `${issuer}/fleet`,
        alerts: [{ state: 'firing', kind: 'crash', instanceId: 'demo', text: 'Survival on Attic has crashed.' }],
      },
    ]);
    await report(attic);
    await round();
    t.match(messages(), [{ alerts: [{ state: 'resolved', kind: 'crash' }] }]);
    await round();
    t.same(messages(), []);
  });

  await t.test('offline after five minutes, and online again', async (t) => {
    online.delete(attic);
    await round();
    clock.ahead += 280_000;
    await round();
    t.same(messages(), []);
    clock.ahead += 21_000;
    await round();
    t.match(messages(), [{ alerts: [{ state: 'firing', kind: 'offline', computer: 'Attic' }] }]);
    online.add(attic);
    await round();
    t.match(messages(), [{ alerts: [{ state: 'resolved', kind: 'offline' }] }]);
  });

  await t.test('a disabled account is told nothing', async (t) => {
    const disable = (disabled: 0 | 1) => database.updateTable('account').set({ disabled }).execute();
    answers.push({ status: 500 });
    await report(attic, { instances: [reportedInstance({ phase: 'crashed' })] });
    await round();
    messages();
    await disable(1);
    clock.ahead += 31_000;
    await round();
    t.same(messages(), [], 'not what waits');
    await report(attic);
    await round();
    t.same(messages(), [], 'and nothing new');
    await disable(0);
    // One after the other.
    await round();
    clock.ahead += 61_000;
    await round();
    t.same(
      messages().flatMap(({ alerts }) => alerts.map(({ state }) => state)),
      ['firing', 'resolved'],
      'all of it once it is enabled again',
    );
  });

  await t.test('a receiver that fails is tried again later, and when it asks to', async (t) => {
    answers.push({ status: 500 }, { status: 429, headers: { 'retry-after': '120' } });
    await report(attic, { instances: [reportedInstance({ phase: 'crashed' })] });
    await round();
    await round();
    t.equal(messages().length, 1, 'not at once');
    clock.ahead += 31_000;
    await round();
    t.equal(messages().length, 1);
    clock.ahead += 100_000;
    await round();
    t.equal(messages().length, 0, 'it asked for 120 s');
    clock.ahead += 21_000;
    await round();
    t.match(messages(), [{ alerts: [{ kind: 'crash' }] }]);
    t.match(await targets.ofAccount(accountId), [{ result: 'Delivered', isPaused: false }]);
    await report(attic);
    await round();
    messages();
  });

  await t.test('redirects are not followed', async (t) => {
    answers.push({ status: 307, headers: { location: hook.url } });
    t.match(await send({ url: hook.url, body: '{}', headers: {}, allowsPrivate: true }), { delivered: false });
    t.equal(messages().length, 1);
  });

  await t.test('an address that keeps failing is paused', async (t) => {
    answers.push(...Array.from({ length: 30 }, () => ({ status: 500 })));
    for (let message = 0; message < 5; message++) {
      const id = target.id;
      await database
        .insertInto('alert_message')
        .values({ id: `m${message}`, target_id: id, body: '{"alerts":[]}', attempts: 5, next_at: toSeconds(now()) })
        .execute();
      await round();
    }
    t.match(await targets.ofAccount(accountId), [{ isPaused: true, result: /status 500/ }]);
    answers.length = 0;
    messages();
    await report(attic, { instances: [reportedInstance({ phase: 'crashed' })] });
    await round();
    t.equal(messages().length, 0);
    await targets.note(target.id, { result: 'Delivered', failed: false });
    await report(attic);
    await round();
    t.match(messages(), [{ alerts: [{ state: 'resolved' }] }]);
  });

  await t.test('not more than 60 messages in an hour', async (t) => {
    clock.ahead += 3_600_000;
    const taken = await Promise.all(Array.from({ length: 70 }, () => targets.take(target.id)));
    t.equal(taken.filter(Boolean).length, 60);
    clock.ahead += 3_600_000;
    t.ok(await targets.take(target.id));
  });

  await t.test(
    'not more than 300 in an hour to all addresses of an account, also if they are removed and added',
    async (t) => {
      clock.ahead += 3_600_000;
      let taken = 0;
      for (let round = 0; round < 8; round++) {
        const { id } = await targets.add(accountId, { kind: 'discord', url: hook.url });
        for (let count = 0; count < 50; count++) if (await targets.take(id)) taken++;
        await targets.remove(id, accountId);
      }
      t.equal(taken, 300);
      clock.ahead += 3_600_000;
      const { id } = await targets.add(accountId, { kind: 'webhook', url: hook.url });
      t.equal(await targets.take(id), true, 'in the next hour');
      await targets.remove(id, accountId);
    },
  );

  await t.test('when a fifth of all vanish at once, offline alerts wait for half an hour', async (t) => {
    const many = await Promise.all(Array.from({ length: 40 }, (_, index) => register(`n${index}`)));
    for (const id of many) {
      await report(id);
      online.add(id);
    }
    await round();
    for (const id of many.slice(0, 12)) online.delete(id);
    await round();
    clock.ahead += 400_000;
    await round();
    t.same(messages(), []);
    clock.ahead += 25 * 60_000;
    await round();
    t.equal(messages()[0]?.alerts.length, 12, 'in one message');
    for (const id of many) await forget(id);
    await round();
    t.same(messages(), [], 'what is no longer reported is not resolved');
  });

  await t.test('Discord gets text that mentions nobody', async (t) => {
    const discord = await targets.add(accountId, { kind: 'discord', url: `${hook.url}?discord` });
    await targets.remove(target.id, accountId);
    const evil = await register('@everyone [x](https://evil.example) **bold**');
    online.add(evil);
    await report(evil, {
      instances: Array.from({ length: 100 }, (_, index) =>
        reportedInstance({ id: `s${index}`, name: `${'*'.repeat(60)}${index}`, phase: 'crashed' }),
      ),
    });
    await round();
    const [body] = received.splice(0).map((one) => JSON.parse(one.body));
    t.same(body.allowed_mentions, { parse: [] });
    t.ok(body.content.length <= 2_000, `${body.content.length} characters`);
    t.match(body.content, /and \d+ more\n<https:\/\/proxy\.example\.net\/fleet>$/);
    t.match(body.content, '\\@everyone \\[x\\]\\(https\\://evil.example\\) \\*\\*bold');
    t.ok(discord);
  });

  await t.test('an account has at most five addresses, also when added at once', async (t) => {
    const added = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => targets.add(accountId, { kind: 'webhook', url: `${hook.url}/${index}` })),
    );
    t.equal(added.filter(({ status }) => status === 'fulfilled').length, 4);
    const stored = await database.selectFrom('alert_target').selectAll().execute();
    t.notMatch(JSON.stringify(stored), /127\.0\.0\.1|whsec/, 'neither address nor secret is readable in the database');
  });
});

/** A linked gateway reports to its proxy what the owner allows, and nothing else. */
import t from 'tap';
import { startReports } from '../../../../gateway/link/telemetry/reports.ts';
import { parseTelemetry, type TelemetryMessage } from '../../../../shared/node/link/telemetry.ts';
import { createLogger } from '../../../../shared/node/logger.ts';
import { linkedWorld } from '../../../support/link/linked-world.ts';
import { until } from '../../../support/machine/until.ts';
import { build } from '../../../support/processes/gateway-app.ts';

const log = createLogger({ name: 'gateway', level: 'silent' });

t.test('reports hold what the documentation says, and the proxy accepts them', async (t) => {
  const { gateway } = await build(t);
  const report = await gateway.telemetry.read();
  t.strictSame(parseTelemetry(Buffer.from(JSON.stringify(report))), report);
  t.match(report, { health: 'ok', instances: [{ id: 'demo', phase: 'stopped', age: Number }] });
  t.notMatch(JSON.stringify(report), /25565|directory|rcon|env/);
});

t.test('a change is reported soon, a group of changes once', async (t) => {
  const { gateway } = await build(t);
  const sent: TelemetryMessage[] = [];
  let changed: () => void = () => undefined;
  const source = {
    read: gateway.telemetry.read,
    onChange(listener: () => void) {
      changed = listener;
      return () => undefined;
    },
  };
  const stop = startReports({ source, send: (message) => sent.push(message), log, atMostEveryMs: 50 });
  t.teardown(stop);
  await until('the first report', () => sent.length === 1);
  for (let count = 0; count < 10; count++) changed();
  await until('the second report', () => sent.length === 2);
  stop();
  changed();
  t.equal(sent.length, 2);
});

t.test('the owner turns it on and off while the link is open', async (t) => {
  const { relay, target, daemonId } = await linkedWorld(t);
  const kinds = () => relay.messages.map((text) => JSON.parse(text.toString()).type);
  await until('it is off', () => kinds().at(-1) === 'telemetry-off');
  target.set({ issuer: relay.issuer, daemonId, telemetry: true });
  await until('it reports', () => kinds().at(-1) === 'telemetry');
  target.set({ issuer: relay.issuer, daemonId, telemetry: false });
  await until('it is off again', () => kinds().at(-1) === 'telemetry-off');
  t.equal(relay.links.count, 1, 'the same link');
});

import t, { type Test } from 'tap';
import { createSettingsOffers } from '../../../daemon/settings/settings-offers.ts';
import type { SettingsOffer } from '../../../shared/contract/daemon/settings.ts';
import { settings as settingsSchema } from '../../../shared/schema/settings.ts';

const withPorts = (panelPort: number, port: number) => settingsSchema.parse({ remoteControl: { panelPort, port } });
const at = (panel: number, remote: number) => ({
  panel: `http://127.0.0.1:${panel}`,
  remote: `http://127.0.0.1:${remote}`,
});
const OFF = { panel: null, remote: null };

/** A gateway that follows the offers. */
function follow(t: Test, offers: ReturnType<typeof createSettingsOffers>) {
  const connection = new AbortController();
  const items = offers.settingsOffers(connection.signal)[Symbol.asyncIterator]();
  t.teardown(() => connection.abort());
  return {
    next: async (): Promise<SettingsOffer> => (await items.next()).value,
    async leave() {
      connection.abort();
      await items.next();
    },
  };
}

t.test('settings and addresses apply once the gateway has applied them', async (t) => {
  const offers = createSettingsOffers(withPorts(1000, 2000));
  const gateway = follow(t, offers);
  t.match(await gateway.next(), { ports: { panel: 1000, remote: 2000 } });
  offers.started(at(1000, 2000));
  const offering = offers.offer(withPorts(1001, 2000));
  const { id, ports } = await gateway.next();
  t.same(ports, { panel: 1001, remote: 2000 });
  t.same(offers.listeners(), at(1000, 2000), 'unchanged so far');
  offers.settingsTaken({ id, listeners: at(1001, 2000) });
  await offering;
  t.same(offers.listeners(), at(1001, 2000));
});

t.test('a refusal of the gateway is thrown, and nothing has changed', async (t) => {
  const offers = createSettingsOffers(withPorts(1000, 2000));
  const gateway = follow(t, offers);
  await gateway.next();
  const offering = offers.offer(withPorts(1001, 2000));
  const { id } = await gateway.next();
  offers.settingsTaken({ id, failure: { code: 'port_in_use', detail: 'taken', resolution: 'another' } });
  await t.rejects(offering, { code: 'port_in_use', message: 'taken', resolution: 'another' });
  t.match(await follow(t, offers).next(), { ports: { panel: 1000 } }, 'the next gateway gets the current settings');
});

t.test('without a gateway, or if it exits meanwhile, nothing changes', async (t) => {
  const offers = createSettingsOffers(withPorts(1000, 2000));
  await t.rejects(offers.offer(withPorts(1, 2)), { code: 'worker_unavailable' });
  const gateway = follow(t, offers);
  await gateway.next();
  const offering = offers.offer(withPorts(1001, 2000));
  const rejected = t.rejects(offering, { code: 'worker_unavailable', message: /has exited.*have not changed/ });
  await gateway.next();
  await gateway.leave();
  await rejected;
  t.match(await follow(t, offers).next(), { ports: { panel: 1000 } });
});

t.test('a gateway that answers too late gets the settings in force', async (t) => {
  const offers = createSettingsOffers(withPorts(1000, 2000), 20);
  const gateway = follow(t, offers);
  await gateway.next();
  const offering = offers.offer(withPorts(1001, 2000));
  const rejected = t.rejects(offering, { code: 'worker_unavailable', message: /does not answer/ });
  const { id } = await gateway.next();
  await rejected;
  offers.settingsTaken({ id, listeners: at(1001, 2000) });
  const again = await gateway.next();
  t.same(again.ports, { panel: 1000, remote: 2000 });
  offers.settingsTaken({ id: again.id, listeners: at(1000, 2000) });
  const next = offers.offer(withPorts(1002, 2000));
  const following = await gateway.next();
  t.same(following.ports, { panel: 1002, remote: 2000 }, 'the settings in force are offered only once');
  offers.settingsTaken({ id: following.id, listeners: at(1002, 2000) });
  await next;
});

t.test(
  'the port for 0 is chosen once and survives a new gateway, off and on, and another port meanwhile',
  async (t) => {
    const offers = createSettingsOffers(withPorts(0, 0));
    const gateway = follow(t, offers);
    t.match(await gateway.next(), { ports: { panel: 0, remote: 0 } });
    offers.started(at(5001, 5002));
    const take = async (settings: ReturnType<typeof withPorts>, listeners: Parameters<typeof offers.started>[0]) => {
      const offering = offers.offer(settings);
      const { id, ports } = await gateway.next();
      offers.settingsTaken({ id, listeners });
      await offering;
      return ports;
    };
    const off = withPorts(0, 0);
    await take({ ...off, remoteControl: { ...off.remoteControl, enabled: false } }, OFF);
    t.match(await follow(t, offers).next(), { ports: { panel: 5001, remote: 5002 } });
    t.same(await take(off, at(5001, 5002)), { panel: 5001, remote: 5002 });
    t.same(await take(withPorts(6000, 0), at(6000, 5002)), { panel: 6000, remote: 5002 });
    t.same(await take(off, at(5001, 5002)), { panel: 5001, remote: 5002 });
  },
);

t.test('if Remote Control is off at the start, ports are chosen when it is turned on', async (t) => {
  const off = settingsSchema.parse({ remoteControl: { enabled: false, panelPort: 0, port: 0 } });
  const offers = createSettingsOffers(off);
  const gateway = follow(t, offers);
  await gateway.next();
  offers.started(OFF);
  const offering = offers.offer(withPorts(0, 0));
  const { id, ports } = await gateway.next();
  t.same(ports, { panel: 0, remote: 0 });
  offers.settingsTaken({ id, listeners: at(5001, 5002) });
  await offering;
  t.match(await follow(t, offers).next(), { ports: { panel: 5001, remote: 5002 } });
});

import { strict as assert } from 'node:assert';
import { until } from '../support/machine/until.ts';
import type { Machine } from './machine.ts';

const HOME = '/var/lib/gamekeeper-proxy';
const PASSWORD = 'correct horse battery staple';
const CREDENTIALS = `printf '%s' '${PASSWORD}' |`;

/** The proxy as a system service: it starts, is restarted after a crash, ends cleanly, and keeps its data. `cli` runs `gamekeeper`. */
export async function checkProxyService(machine: Machine, cli: string): Promise<void> {
  const root = (commandLine: string) => machine.run('root', commandLine);
  const pid = () => root('systemctl show --property=MainPID --value gamekeeper-proxy');
  const isReady = async (former?: string) => {
    const record = await root(`cat ${HOME}/run/proxy.json`).catch(() => ''); // It has not started yet.
    return record.includes(`"pid":${await pid()}`) && (await pid()) !== former;
  };
  const describe = () => 'see: journalctl --unit gamekeeper-proxy';

  await root(`${cli} proxy unit > /etc/systemd/system/gamekeeper-proxy.service`);
  await root('echo GAMEKEEPER_PROXY_URL=https://play.example.net > /etc/gamekeeper-proxy.env');
  await root('systemctl daemon-reload && systemctl enable --now gamekeeper-proxy');
  await until('the proxy is ready', () => isReady(), { describe });
  assert.equal(await root(`stat --dereference --format=%a ${HOME}`), '700');
  assert.notEqual(await root(`stat --dereference --format=%u ${HOME}`), '0', 'it does not run as root');
  assert.equal(await root('systemctl show --property=LimitNOFILE --value gamekeeper-proxy'), '1048576');

  await root(`${CREDENTIALS} ${cli} proxy --home ${HOME} user add anna --password-stdin`);
  const page = await root('curl --silent http://127.0.0.1:25590/sign-in');
  assert.match(page, /Sign in/);

  const first = await pid();
  await root(`kill -KILL ${first}`);
  await until('systemd has restarted the proxy', () => isReady(first), { describe });
  const second = await pid();
  await root('systemctl restart gamekeeper-proxy');
  await until('the proxy is ready again', () => isReady(second), { describe });
  assert.match(await root(`${cli} proxy --home ${HOME} user list`), /^anna /m);
  await root('systemctl stop gamekeeper-proxy');
  assert.equal(await root('systemctl show --property=Result --value gamekeeper-proxy'), 'success');
}

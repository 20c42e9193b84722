import t from 'tap';
import type { ServiceDefinition } from '../../../../daemon/cli/service/definition.ts';
import { launchdAgent } from '../../../../daemon/cli/service/launchd-agent.ts';

const PLAIN: ServiceDefinition = {
  node: '/opt/node/bin/node',
  entry: '/opt/gamekeeper/dist/daemon/main.js',
  home: '/home/steve/.local/share/gamekeeper',
  stopSeconds: 90,
  path: '/usr/local/bin:/usr/bin:/bin',
  growingPauses: false,
};
/** All characters that are special in some syntax. */
const HOSTILE: ServiceDefinition = {
  ...PLAIN,
  entry: `/srv/Müllers "Spiele"/100%n $HOME 'x' \\t <&>;#/main.js`,
  home: '/srv/Größe 5%/$HOME/ends with \\',
};

t.test('the agent of launchd', async (t) => {
  const agent = launchdAgent(HOSTILE);
  t.ok(agent.includes(`<string>/srv/Müllers &quot;Spiele&quot;/100%n $HOME 'x' \\t &lt;&amp;&gt;;#/main.js</string>`));
  t.ok(agent.includes('<string>/srv/Größe 5%/$HOME/ends with \\</string>'));
  t.match(agent, /<key>ExitTimeOut<\/key>\s*<integer>90<\/integer>/);
  t.match(agent, /<key>GAMEKEEPER_STOP_SECONDS<\/key>\s*<string>90<\/string>/);
  t.match(agent, /<key>GAMEKEEPER_SERVICE<\/key>\s*<string>launchd<\/string>/);
  t.match(agent, /<key>SuccessfulExit<\/key>\s*<false\/>/, 'no restart after a clean exit');
});

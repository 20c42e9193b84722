import t from 'tap';
import { startFixOf } from '../../../../../../gateway/panel/src/pages/server/header/start-fix.ts';

const failed = (code: string, more: object = {}) => ({
  crash: {
    ...{ at: '2026-11-20T12:00:00Z', reason: 'No.', exitCode: null, signal: null, restarts: 0 },
    failedStart: { code, ...more },
  },
});
const portChange = { setting: 'port', key: 'port', port: 25_566 } as const;

t.test('each failed start gets the fix that fits, if the user may make it', (t) => {
  t.equal(startFixOf(failed('port_in_use', { portChange }), 'admin'), 'usePort');
  t.equal(startFixOf(failed('port_in_use'), 'admin'), 'again', 'no other port is known');
  t.equal(startFixOf(failed('eula_not_accepted'), 'admin'), 'acceptEula');
  t.equal(startFixOf(failed('launch_failed'), 'admin'), 'settings');
  t.equal(startFixOf(failed('vendor_unavailable'), 'admin'), 'again');
  t.equal(startFixOf(failed('of a later version'), 'admin'), 'again');
  t.equal(startFixOf(failed('port_in_use', { portChange }), 'operator'), 'again');
  t.equal(startFixOf(failed('vendor_unavailable'), 'viewer'), undefined);
  t.end();
});

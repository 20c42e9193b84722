import t from 'tap';
import { startDemoServer } from '../../../fixtures/demo-server.ts';

t.test('RCON without a password stays off, with a warning', async (t) => {
  const server = await startDemoServer(t, { properties: { 'rcon.password': '' }, until: /rcon disabled/ });
  t.match(server.lines.at(-1), /\[Server thread\/WARN\]: No rcon password set in server\.properties, rcon disabled!$/);
});

/**
 * The SFTP server: speaks SSH with clients, asks the gateway whether they may sign in, and the files process for everything else. It opens no file
 * of a server itself. The daemon starts it while the setting `sftp` is on. `<node> dist/workers/sftp/main.js --home <home> --host <host> --port <port>`
 *
 * start-sftp.ts builds it from these rooms: ssh (connections and sign-in), access (who may do what, until when), session (requests of one client),
 * protocol (packets).
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { reportFailure, reportReady, whenParentIsGone } from '../../shared/node/processes/lifeline.ts';
import { startSftp } from './start-sftp.ts';

const { values } = parseArgs({
  options: { home: { type: 'string' }, host: { type: 'string' }, port: { type: 'string' } },
});
const { home, host, port } = values;
if (!home || !host || !port) {
  process.stderr.write('Usage: sftp --home <data directory> --host <host> --port <port>\n');
  process.exit(EXIT.usage);
}

// Ctrl-C on a terminal reaches every process; the daemon decides what it means.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
let settled: () => Promise<void> = async () => undefined;
process.once('SIGTERM', () => void settled().finally(() => process.exit(EXIT.ok)));
whenParentIsGone(() => process.exit(EXIT.failure));

try {
  const address = { host, port: Number(port) };
  const started = await startSftp(homeAt(path.resolve(home)), address, (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(EXIT.failure);
  });
  settled = started.settled;
  reportReady(started.listening);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  await reportFailure(toCodedFailure(error));
  process.exit(EXIT.failure);
}

/**
 * The files process: works on the files of servers on behalf of users. What takes long is done by jobs. Started by the daemon when it is first
 * needed, ended with the daemon. `<node> dist/workers/files/main.js --home <home>`
 *
 * start-files.ts builds it from these rooms: folder (one operation each, none of which leaves the folder), staging (what is not finished yet),
 * uploads (in pieces), trash, masking (secrets), transfer (bytes from and to the gateway).
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { reportFailure, reportReady, whenParentIsGone } from '../../shared/node/processes/lifeline.ts';
import { startFiles } from './start-files.ts';

const { values } = parseArgs({ options: { home: { type: 'string' } } });
if (!values.home) {
  process.stderr.write('Usage: files --home <data directory>\n');
  process.exit(EXIT.usage);
}

try {
  const home = homeAt(path.resolve(values.home));
  const stop = await startFiles(home);

  // Ctrl-C on a terminal reaches every process; the daemon decides what it means.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('SIGTERM', () => void stop().finally(() => process.exit(EXIT.ok)));
  whenParentIsGone(() => process.exit(EXIT.failure));
  reportReady({ socket: home.filesSocket });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  await reportFailure(toCodedFailure(error));
  process.exit(EXIT.failure);
}

/**
 * The gateway: terminates HTTP and WebSocket, and forwards to daemon, supervisors and jobs. The daemon starts it; it ends with the daemon.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { GamekeeperError, toCodedFailure } from '../shared/errors/gamekeeper-error.ts';
import { type Home, homeAt } from '../shared/node/files/home.ts';
import { createLogger } from '../shared/node/logger.ts';
import { EXIT } from '../shared/node/processes/exit-codes.ts';
import { reportFailure, reportReady, whenParentIsGone } from '../shared/node/processes/lifeline.ts';
import { createGateway } from './gateway.ts';
import { startLink } from './link/start-link.ts';
import { createListeners } from './listeners/listeners.ts';
import { servePrivately } from './listeners/private-socket.ts';
import { createRetryingListeners } from './listeners/retrying-listeners.ts';
import { connectDaemon } from './upstream/clients.ts';
import { serveSignIn } from './upstream/serve-sign-in.ts';
import { followSettings } from './upstream/settings.ts';

/** The build puts the panel beside this process's folder. */
const PANEL = path.join(import.meta.dirname, '../panel');
/** Time for answers under way; less than the daemon grants. */
const CLOSE_GRACE_MS = 4_000;

// A terminal sends these to every process in it; the daemon decides what happens.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The next daemon needs the ports.
whenParentIsGone(() => process.exit(EXIT.failure));

try {
  const { home, again } = parseCommandLine(process.argv.slice(2));
  const log = createLogger({ name: 'gateway', level: 'info' });
  const daemon = connectDaemon(home.daemonSocket);
  const offered = followSettings(daemon, (error) => log.warn({ err: error }, 'the settings could not be applied'));
  const { settings, ports } = await offered.first;
  log.level = settings.log.level;
  const gateway = await createGateway({ daemon, settings, log, folder: home.root, ...builtPanel() });
  const listeners = createRetryingListeners(createListeners(gateway, home), { log });
  // The first gateway fails if a port is taken; its replacements serve on the ports they can get.
  const addresses = await listeners[again ? 'resume' : 'listen'](settings.remoteControl, ports);
  const stopServingPrivately = await servePrivately(gateway, home.gatewaySocket);
  const stopCheckingPasswords = await serveSignIn({
    socketPath: home.signInSocket,
    check: ({ address, code, ...entered }, onUser) =>
      gateway.services.signIn.check({ ...entered, totp: code }, { address, onUser }),
    audit: gateway.audit,
    onError: (error) => log.error({ err: error }, 'a password could not be checked'),
    now: gateway.now,
  });
  offered.apply(async (offer) => {
    const addresses = await listeners.listen(offer.settings.remoteControl, offer.ports);
    gateway.settings = offer.settings;
    log.level = offer.settings.log.level;
    return addresses;
  });

  const unreported = (error: unknown) => log.warn({ err: error }, 'the daemon did not hear of revoked grants');
  const link = startLink(gateway, {
    watchLink: (signal) => daemon.call.watchLink(undefined, { signal }),
    linkToken: () => daemon.call.linkToken(),
    endGrant: (grantId) => daemon.call.endGrant(grantId).catch(unreported),
    askAboutGrants: (grantIds) => daemon.call.askAboutGrants(grantIds).catch(unreported),
  });
  gateway.link = link;

  closeWithGrace(
    { delay: CLOSE_GRACE_MS, logger: false, skip: ['SIGINT', 'SIGHUP', 'beforeExit'] },
    async ({ err }) => {
      if (err) log.fatal({ err }, 'the gateway failed');
      gateway.closing = true;
      await gateway.sockets.closeAll();
      offered.close();
      await Promise.all([listeners.close(), stopServingPrivately(), stopCheckingPasswords(), link.close()]);
      await gateway.audit.settled();
      gateway.close();
      daemon.close();
    },
  );
  reportReady(addresses);
  log.info(addresses, 'ready');
} catch (error) {
  // The daemon shows the errors that a user can fix; for others the log needs the stack.
  if (!(error instanceof GamekeeperError)) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  await reportFailure(toCodedFailure(error));
  process.exit(EXIT.failure);
}

function builtPanel(): { panelFolder?: string } {
  return existsSync(path.join(PANEL, 'index.html')) ? { panelFolder: PANEL } : {};
}

/** `--home <dir>`: the data directory. `--again`: this gateway replaces one that died. Throws for anything else. */
function parseCommandLine(args: readonly string[]): { home: Home; again: boolean } {
  const { values } = parseArgs({ args: [...args], options: { home: { type: 'string' }, again: { type: 'boolean' } } });
  if (values.home === undefined) throw new Error('--home is missing');
  return { home: homeAt(path.resolve(values.home)), again: values.again ?? false };
}

import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { isScope, SCOPES, type Scope } from '../../../shared/domain/access/scope.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import type { CreateLink, Link, LinkedProxy, LinkRequest, Unlinked } from '../../../shared/schema/link.ts';
import { Failure, refused } from '../api/failure.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { formatSeconds, formatTime } from '../terminal/quantities.ts';

const LOOK_EVERY_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Light on dark in every terminal: without colours, a code on a light one is inverted. */
const [QR_COLOURS, NO_COLOURS] = ['\x1b[97;40m', '\x1b[0m'];

const TELEMETRY_ON = [
  'Telemetry is on. This machine reports to the proxy, on changes and every 5 minutes:',
  '  version, health, CPU, memory and disk space of this machine;',
  '  of each server: id, name, software, phase, number of players, CPU, memory, age, and age of the last backup.',
  'It reports no names of players, no console and no addresses. Turn it off with: npx gamekeeper link --no-telemetry',
].join('\n');

interface LinkOptions {
  scopes?: Scope[];
  name?: string;
  telemetry?: boolean;
  status?: boolean;
  cancel?: boolean;
}

export function addLink(program: Command): void {
  withCommonOptions(program.command('link'))
    .description('Link this machine to a hosted proxy, to control its servers from anywhere')
    .argument('[address]', 'Address of the proxy, such as https://proxy.example.net')
    .option(
      '--scopes <scopes>',
      'All that the proxy may do here, such as servers:read,logs:read (default: everything)',
      parseScopes,
    )
    .option('--name <name>', "This machine's name at the proxy (default: its host name)")
    .option('--telemetry', 'Let the proxy show the state of this machine and its servers, and send alerts')
    .option('--no-telemetry', 'Report nothing, and delete what the proxy has kept (the default)')
    .option('--status', 'Show the link and its state')
    .option('--cancel', 'Cancel a request that waits for approval')
    .action(async (address: string | undefined, options: LinkOptions, command: Command) => {
      const { scopes, name, telemetry, status, cancel } = options;
      const session = sessionOf(command);
      const chosen = [address, status, cancel].filter((one) => one !== undefined);
      if (chosen.length === 0 && telemetry !== undefined) return changeTelemetry(session, telemetry);
      if (chosen.length !== 1)
        throw new Failure('Give the address of a proxy, or --status, --cancel, --telemetry or --no-telemetry.', {
          exitCode: EXIT.usage,
        });
      if (status) session.answer(await readLink(session), stateText);
      else if (cancel) await cancelRequest(session);
      else
        await link(session, {
          url: address!,
          ...(scopes && { scopes }),
          ...(name !== undefined && { name }),
          ...(telemetry !== undefined && { telemetry }),
        });
    });

  withCommonOptions(program.command('unlink'))
    .description('Unlink this machine from the hosted proxy')
    .action(async (_options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<Unlinked>('DELETE', '/api/link');
      session.answer(body, ({ proxyTold }) =>
        proxyTold
          ? 'Unlinked. The proxy can no longer control this machine.'
          : 'Unlinked. The proxy can no longer control this machine. It did not answer, so it still lists this machine: remove it there.',
      );
    });
}

async function link(session: Session, body: Partial<CreateLink>): Promise<void> {
  const { body: request } = await session.api.request<LinkRequest>('POST', '/api/link', { body });
  const { userCode, verificationUri, verificationUriComplete } = request;
  session.answer({ userCode, verificationUri, verificationUriComplete }, (shown) =>
    requestText(request, shown, session),
  );
  const { proxy, lastRequest } = await untilDecided(session, request);
  if (lastRequest?.id !== request.id) throw new Failure('Gamekeeper was restarted. Run the command again.');
  const { outcome, detail, resolution } = lastRequest;
  if (outcome === 'denied') throw new Failure('The request was denied at the proxy. Nothing has changed.');
  if (outcome === 'expired')
    throw new Failure('Nobody approved the request in time. Run the command again for a new code.');
  if (outcome === 'cancelled') throw new Failure('The request was cancelled. Nothing has changed.');
  if (outcome === 'failed' || !proxy)
    throw refused({
      title: 'Could not link',
      detail: detail ?? 'The link was removed.',
      ...(resolution !== undefined && { resolution }),
    });
  session.answer({ daemonId: proxy.daemonId, resource: proxy.resource }, () => linkedText(proxy));
}

/** Resolves once the request no longer waits. Ctrl-C cancels it. */
async function untilDecided(session: Session, { id }: LinkRequest): Promise<Link> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal: interrupted.signal }).catch(() => undefined); // rejects only if aborted
      if (interrupted.signal.aborted) await session.api.request('DELETE', '/api/link/request').catch(() => undefined); // has just ended
      const state = await readLink(session);
      if (state.request?.id !== id) return state;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

async function changeTelemetry(session: Session, telemetry: boolean): Promise<void> {
  const { body } = await session.api.request<Link>('PATCH', '/api/link', { body: { telemetry } });
  session.answer(body, () => (telemetry ? TELEMETRY_ON : 'Telemetry is off. The proxy deletes what it has kept.'));
}

async function cancelRequest(session: Session): Promise<void> {
  await session.api.request('DELETE', '/api/link/request');
  session.answer({ success: true, message: 'Cancelled the request.' }, ({ message }) => message);
}

async function readLink(session: Session): Promise<Link> {
  return (await session.api.request<Link>('GET', '/api/link')).body;
}

type Code = Pick<LinkRequest, 'userCode' | 'verificationUri' | 'verificationUriComplete'>;

function requestText({ expiresAt }: LinkRequest, code: Code, { interactive }: Session): string {
  const seconds = Math.max(0, (Date.parse(expiresAt) - Date.now()) / 1000);
  return [
    'Open this address in a browser, sign in, and enter the code:',
    '',
    `  Address  ${code.verificationUri}`,
    `  Code     ${code.userCode}`,
    '',
    ...(interactive ? [qrCode(code.verificationUriComplete), ''] : []),
    `Waiting for approval for ${formatSeconds(seconds)}. Ctrl-C cancels.`,
  ].join('\n');
}

function qrCode(text: string): string {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n');
  return lines.map((line) => `${QR_COLOURS}${line}${NO_COLOURS}`).join('\n');
}

function linkedText({ issuer, name, account, scopes, telemetry }: LinkedProxy): string {
  return [
    `Linked to ${issuer} as "${name}".`,
    ...(account === undefined ? [] : [`Account  ${account}`]),
    `Allowed  ${scopes.length === SCOPES.length ? 'everything' : scopes.join(' ')}`,
    ...(telemetry ? ['Reports  the state of this machine and its servers'] : []),
  ].join('\n');
}

function stateText({ proxy, status, request }: Link): string {
  const latency = status.latencyMs === undefined ? '' : `, ${Math.round(status.latencyMs)} ms`;
  return [
    ...(proxy
      ? [
          linkedText(proxy),
          `Since    ${formatTime(proxy.linkedAt)}`,
          `State    ${status.state}${latency}${status.error === undefined ? '' : `: ${status.error}`}`,
        ]
      : ['Not linked to a hosted proxy. Link with: npx gamekeeper link <address>']),
    ...(request ? [`A request to ${request.issuer} waits for approval with the code ${request.userCode}.`] : []),
  ].join('\n');
}

function parseScopes(text: string): Scope[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${SCOPES.join(', ')}.`);
  return words.filter((word) => isScope(word));
}

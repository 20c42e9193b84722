import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { VENDOR_NAMES, VENDORS } from '../../../shared/domain/vendors.ts';
import { readProcessRecord } from '../api/lock-owner.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

const DAY_MS = 86_400_000;
/** Let's Encrypt certificates are renewed 30 days before they expire, so with less time something is wrong. */
const SOON_DAYS = 14;
/** Milliseconds. */
const VENDOR_TIMEOUT_MS = 10_000;
/** One-time codes tolerate half a minute. Milliseconds. */
const MOST_SKEW_MS = 30_000;

/** Checks that the ports are free, unless Gamekeeper or the server itself uses them. */
export const checkPorts: Check = async ({ home, settings, stored, daemon }) => {
  const findings: Finding[] = [];
  if (settings?.remoteControl.enabled && !daemon) {
    const { host, panelPort, port } = settings.remoteControl;
    const keys = new Map([
      [port, 'remoteControl.port'],
      [panelPort, 'remoteControl.panelPort'],
    ]);
    for (const [number, key] of keys) {
      const failure = number === 0 ? undefined : await bindFailure(number, host);
      findings.push(
        failure === undefined
          ? ok('Ports', `${number} of ${host} is free`)
          : problem(
              'Ports',
              `${host}:${number} cannot be used: ${failure}.`,
              `Stop the program that uses it, or set another ${key}.`,
            ),
      );
    }
  }
  for (const { id, name, port, software } of stored?.instances ?? []) {
    const mine = [await readProcessRecord(home.supervisorRecord(id)), await readProcessRecord(home.gameRecord(id))];
    if (software === 'bedrock' || mine.some((record) => record?.isAlive)) continue;
    const failure = await bindFailure(port);
    if (failure !== undefined)
      findings.push(
        warning(
          'Ports',
          `${port} of ${name}, which is not running: ${failure}.`,
          `Stop the program that uses it, or give ${name} another port.`,
        ),
      );
  }
  return findings;
};

/** Resolves to the reason why a program cannot listen on the port now, or `undefined`. */
function bindFailure(port: number, host?: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(REASONS[error.code ?? ''] ?? error.message));
    server.listen({ port, exclusive: true, ...(host !== undefined && { host }) }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'ports below 1024 need special permissions',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

export const checkCertificate: Check = async ({ home, settings, now }) => {
  const tls = settings?.remoteControl.tls;
  if (!tls) return [];
  const check = 'TLS certificate';
  const renew = 'Renew it, and find out why it is not renewed automatically.';
  try {
    const [cert, key] = await Promise.all([tls.cert, tls.key].map((file) => readFile(path.resolve(home.root, file))));
    createSecureContext({ cert, key });
    const { validFromDate, validToDate } = new X509Certificate(cert ?? '');
    const days = Math.floor((validToDate.getTime() - now) / DAY_MS);
    if (days < 0) return [problem(check, `It expired on ${validToDate.toISOString()}.`, renew)];
    if (validFromDate.getTime() > now)
      return [
        problem(
          check,
          `It is not valid before ${validFromDate.toISOString()}.`,
          'Set the clock, or use another certificate.',
        ),
      ];
    const says = `valid for ${days} more ${days === 1 ? 'day' : 'days'}`;
    return [days < SOON_DAYS ? warning(check, `It is ${says}.`, renew) : ok(check, says)];
  } catch (error) {
    return [
      problem(check, `It cannot be used: ${(error as Error).message}`, 'Correct remoteControl.tls in the settings.'),
    ];
  }
};

/** Checks that every vendor answers, and compares the clock with the first answer. */
export const checkVendors: Check = async ({ settings }) => {
  const answers = await Promise.all(
    VENDOR_NAMES.map(async (name) => {
      const address = settings?.vendors[name] ?? VENDORS[name];
      try {
        const { headers } = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(VENDOR_TIMEOUT_MS) });
        const date = Date.parse(headers.get('date') ?? '');
        return { finding: ok('Vendors', `${name} answers`), skew: date - Date.now() };
      } catch (error) {
        const { cause, message } = error as Error;
        const why = cause instanceof Error ? cause.message : message;
        return {
          finding: warning(
            'Vendors',
            `${name} (${address}) does not answer: ${why}`,
            'Installed software keeps running. To install more, check the network, or set a mirror in vendors.',
          ),
          skew: Number.NaN,
        };
      }
    }),
  );
  const skew = answers.map((answer) => answer.skew).find((value) => !Number.isNaN(value)) ?? 0;
  const findings = answers.map(({ finding }) => finding);
  if (Math.abs(skew) > MOST_SKEW_MS)
    findings.push(
      problem(
        'Clock',
        `It is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'behind' : 'ahead'}.`,
        'Set the clock, and synchronise it by NTP.',
      ),
    );
  return findings;
};

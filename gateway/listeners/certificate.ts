import { X509Certificate } from 'node:crypto';
import { constants, unwatchFile, watchFile } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { type TlsMaterial, tlsOptions } from '../http/server.ts';

/**
 * Polling notices every way of replacing the files: overwriting them, changing a symbolic link to them (certbot) or in their path
 * (Kubernetes), a network share. Milliseconds.
 */
const POLL_EVERY_MS = 2_000;
/** Ten times the longest chains. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** Certificate and key are not replaced at the same moment. Milliseconds. */
const SETTLE_MS = 500;

/** Paths of certificate and key, relative to the data directory: `remoteControl.tls` of the settings. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** Reads and checks a pair. Throws `invalid_request` that names the setting. */
export async function readCertificate(files: CertificateFiles, root: string): Promise<TlsMaterial> {
  const read = async (name: keyof CertificateFiles) => {
    try {
      return await readSmallFile(path.resolve(root, files[name]));
    } catch (cause) {
      throw new GamekeeperError('invalid_request', `remoteControl.tls.${name}: ${files[name]} cannot be read.`, {
        resolution: 'Correct the path in the settings, or make the file readable for the user that runs Gamekeeper.',
        cause,
      });
    }
  };
  const material = { cert: await read('cert'), key: await read('key') };
  try {
    createSecureContext(tlsOptions(material));
  } catch (cause) {
    throw new GamekeeperError('invalid_request', 'remoteControl.tls: certificate and key are not a PEM pair.', {
      resolution: 'Use a certificate (with its chain) and its unencrypted private key, both in PEM format.',
      cause,
    });
  }
  return material;
}

/** Reading a device or a pipe might never end. */
async function readSmallFile(file: string): Promise<Buffer> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size > LARGEST_FILE_BYTES) throw new Error('It is no file, or no PEM file.');
  return await handle.readFile();
}

export function describeCertificate({ cert }: TlsMaterial): { subject: string; validTo: string } {
  const { subject, validTo } = new X509Certificate(cert);
  return { subject, validTo };
}

export interface WatchOptions {
  root: string;
  onRenewed: (material: TlsMaterial) => void;
  onProblem: (error: unknown) => void;
  pollEveryMs?: number;
}

/** Watches the files, following symbolic links. Returns a function that stops watching. */
export function watchCertificate(
  files: CertificateFiles,
  { root, onRenewed, onProblem, pollEveryMs = POLL_EVERY_MS }: WatchOptions,
): () => void {
  const paths = [files.cert, files.key].map((file) => path.resolve(root, file));
  let settling: NodeJS.Timeout | undefined;
  let stopped = false;

  async function reload(): Promise<void> {
    try {
      const material = await readCertificate(files, root);
      if (!stopped) onRenewed(material);
    } catch (error) {
      if (!stopped) onProblem(error);
    }
  }
  const onChange = () => {
    clearTimeout(settling);
    settling = setTimeout(() => void reload(), SETTLE_MS);
  };
  for (const file of paths) watchFile(file, { interval: pollEveryMs, persistent: false }, onChange);
  return () => {
    stopped = true;
    clearTimeout(settling);
    for (const file of paths) unwatchFile(file, onChange);
  };
}

import { X509Certificate } from 'node:crypto';
import { constants, unwatchFile, watchFile } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { type TlsMaterial, tlsOptions } from '../http/server.ts';

/**
 * How often the files are looked at, milliseconds. Asking is what notices every way of replacing them: a new file over the old one, a
 * symbolic link that leads elsewhere (certbot), a folder that does (Kubernetes), a network share.
 */
const LOOK_EVERY_MS = 2_000;
/** The longest chains are a tenth of it. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** Certificate and key do not change in the same moment. Milliseconds. */
const SETTLE_MS = 500;

/** Where certificate and key are: `remoteControl.tls` of the settings, relative to the data directory. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** Reads a pair and sees to it that it can be used. Throws `invalid_request` naming the setting. */
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
      resolution: 'Name a certificate (with its chain) and its unencrypted private key, both in PEM form.',
      cause,
    });
  }
  return material;
}

/** A path that leads to a device or a pipe would never be read to its end. */
async function readSmallFile(file: string): Promise<Buffer> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size > LARGEST_FILE_BYTES) throw new Error('It is no file, or no PEM file.');
  return await handle.readFile();
}

/** What to say of a certificate in a log. */
export function describeCertificate({ cert }: TlsMaterial): { subject: string; validTo: string } {
  const { subject, validTo } = new X509Certificate(cert);
  return { subject, validTo };
}

export interface WatchOptions {
  root: string;
  onRenewed: (material: TlsMaterial) => void;
  /** The files have changed, and cannot be used as they are. */
  onProblem: (error: unknown) => void;
  lookEveryMs?: number;
}

/** Follows the files, through symbolic links. Returns how to stop. */
export function watchCertificate(
  files: CertificateFiles,
  { root, onRenewed, onProblem, lookEveryMs = LOOK_EVERY_MS }: WatchOptions,
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
  for (const file of paths) watchFile(file, { interval: lookEveryMs, persistent: false }, onChange);
  return () => {
    stopped = true;
    clearTimeout(settling);
    for (const file of paths) unwatchFile(file, onChange);
  };
}

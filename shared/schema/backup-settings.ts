import * as z from 'zod';
import { secret } from './secret.ts';

/** With less, copying a world would never finish. */
const LEAST_BYTES_PER_SECOND = 16_384;

const absolutePath = z
  .string()
  .max(4096)
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/, 'must be an absolute path');

const storeName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name of a-z, 0-9 and -, at most 32 characters')
  .describe('Name of the store in answers, logs and POST /api/stores/{name}/test');

const insecure = z
  .boolean()
  .default(false)
  .describe('true: allow plain http to another machine. Archives and credentials can then be read on the way');

const folderStore = z.strictObject({
  name: storeName,
  kind: z.literal('folder'),
  directory: absolutePath.describe(
    'A folder on another disk or a mounted share. It must exist: a folder that Gamekeeper creates could be on the wrong disk',
  ),
});

const s3Store = z
  .strictObject({
    name: storeName,
    kind: z.literal('s3'),
    endpoint: httpUrl()
      .optional()
      .describe('URL of a vendor other than Amazon, such as https://s3.eu-central-003.backblazeb2.com'),
    region: z.string().min(1).default('us-east-1'),
    bucket: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'must be the name of a bucket')
      .describe('The bucket must exist'),
    prefix: keyPrefix().optional().describe('Prefix of every key, such as gamekeeper/home'),
    accessKeyId: z.string().min(1),
    secretAccessKey: secret(),
    pathStyle: z
      .boolean()
      .optional()
      .describe(
        'true: https://endpoint/bucket/key instead of https://bucket.endpoint/key. Default: true if an endpoint is given',
      ),
    insecure,
  })
  .refine(...needsTls('endpoint'));

const webdavStore = z
  .strictObject({
    name: storeName,
    kind: z.literal('webdav'),
    url: httpUrl().describe(
      'URL of the folder, such as https://cloud.example.org/remote.php/dav/files/alex/gamekeeper',
    ),
    username: z.string().min(1).optional(),
    password: secret().optional(),
    insecure,
  })
  .refine(...needsTls('url'));

const sftpStore = z
  .strictObject({
    name: storeName,
    kind: z.literal('sftp'),
    host: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\s/@]+$/, 'must be a host name or an address'),
    port: z.int().min(1).max(65_535).default(22),
    username: z.string().min(1),
    password: secret().optional(),
    privateKey: secret().optional().describe('Text of an OpenSSH or PEM private key'),
    passphrase: secret().optional().describe('Passphrase of the private key'),
    directory: z
      .string()
      .min(1)
      .max(4096)
      .describe("Absolute, or relative to the user's home folder. Created if missing"),
    hostKey: z
      .string()
      .regex(
        /^(unknown|SHA256:[A-Za-z0-9+/]{43}=?|(\S+ )?(ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/=]+( .*)?)$/,
        'must be a fingerprint such as SHA256:..., a line of known_hosts, or "unknown"',
      )
      .describe(
        'Host key of the server: a fingerprint (ssh-keygen -lf) or a line of known_hosts. With "unknown" the store is never used, but its test shows the fingerprint',
      ),
  })
  .refine((store) => store.password !== undefined || store.privateKey !== undefined, {
    path: ['password'],
    message: 'must come with a password or a privateKey',
  });

const rcloneStore = z.strictObject({
  name: storeName,
  kind: z.literal('rclone'),
  remote: z
    .string()
    .max(4096)
    // No options, and no connection strings: their credentials would be visible in the list of processes.
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_+@. -]*:[^\0\r\n]*$/, 'must be name:path of a remote from "rclone config"')
    .describe('name:path of a remote that was set up with "rclone config"'),
  config: absolutePath.optional().describe("rclone's configuration file. Default: rclone's own"),
  program: absolutePath.optional().describe('Path of rclone. Default: rclone on the PATH'),
});

const store = z.discriminatedUnion('kind', [folderStore, s3Store, webdavStore, sftpStore, rcloneStore]);

export type StoreSettings = z.infer<typeof store>;
export type FolderStoreSettings = z.infer<typeof folderStore>;
export type S3StoreSettings = z.infer<typeof s3Store>;
export type WebdavStoreSettings = z.infer<typeof webdavStore>;
export type SftpStoreSettings = z.infer<typeof sftpStore>;
export type RcloneStoreSettings = z.infer<typeof rcloneStore>;

/** Stores for copies of archives. Names are unique. */
const stores = z
  .array(store)
  .max(16)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of all.entries()) {
      if (seen.has(name))
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'must be unique: another store has this name',
          input: name,
        });
      seen.add(name);
    }
  });

/** Copies are encrypted with age (https://age-encryption.org/v1) before they leave this machine. Local archives are not. */
const encryption = z
  .strictObject({
    recipients: z
      .array(z.string().regex(/^age1[a-z0-9]{58}$/, 'must be a public key of age-keygen: age1...'))
      .min(1)
      .max(20)
      .optional()
      .describe(
        'Public keys. A copy can be decrypted with the private key of any of them. Default: the public key of the identity',
      ),
    identity: secret()
      .regex(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/, 'must be a private key of age-keygen: AGE-SECRET-KEY-1...')
      .optional()
      .describe('Private key, needed to restore from a store. Keep a copy of it elsewhere'),
    passphrase: secret().min(8).optional().describe('Passphrase, instead of keys'),
  })
  .refine((one) => one.recipients !== undefined || one.identity !== undefined || one.passphrase !== undefined, {
    message: 'must have recipients, an identity or a passphrase',
  })
  .refine((one) => one.passphrase === undefined || (one.recipients === undefined && one.identity === undefined), {
    path: ['passphrase'],
    message: 'must be alone, without recipients or identity',
  });
export type EncryptionSettings = z.infer<typeof encryption>;

const bytesPerSecond = z.int().min(LEAST_BYTES_PER_SECOND);
const atLeastOne = z.int().min(1);

/** A backup is kept while any rule keeps it. Pinned backups and the last good one are always kept; without rules, all are. */
const retention = z.strictObject({
  count: atLeastOne.optional().describe('Number of newest backups'),
  days: atLeastOne.optional().describe('All backups of this many days'),
  daily: atLeastOne.optional().describe('The newest backup of each of this many days that have one'),
  weekly: atLeastOne.optional().describe('The same for weeks'),
  monthly: atLeastOne.optional().describe('The same for months'),
});
export type RetentionSettings = z.infer<typeof retention>;

/** The same for callers who may see backups but not the settings. */
export const backupRetention = z.object(retention.shape).meta({
  id: 'BackupRetention',
  description: 'A backup is kept while any rule keeps it. Without rules all are kept.',
});

/** `backups` of `settings.json`. */
export const backupSettings = z.strictObject({
  directory: z.string().optional(),
  concurrency: z.int().min(1).max(16).default(1),
  exclude: z.array(z.string()).max(1_000, 'must have at most 1000 entries').default([]),
  retention: retention.optional(),
  bandwidth: z
    .strictObject({
      uploadBytesPerSecond: bytesPerSecond.optional(),
      downloadBytesPerSecond: bytesPerSecond.optional(),
    })
    .optional(),
  stores: stores.optional(),
  encryption: encryption.optional(),
});

function httpUrl() {
  return z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).refine(withoutCredentials, {
    message: 'must be without user name and password, which are separate settings',
  });
}

function withoutCredentials(url: string): boolean {
  return !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === '');
}

function keyPrefix() {
  return z
    .string()
    .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/, 'must be folders of A-Z, a-z, 0-9, . _ -, separated by /');
}

/** For `refine`: plain http only to this machine, unless `insecure`. */
function needsTls<Key extends 'url' | 'endpoint'>(key: Key) {
  const path: PropertyKey[] = [key];
  const allowed = (one: { insecure: boolean } & { [key in Key]?: string | undefined }) => {
    const url = one[key];
    return url === undefined || one.insecure || url.startsWith('https:') || isLoopback(new URL(url).hostname);
  };
  return [allowed, { path, message: 'must be https, or set "insecure": true for this store' }] as const;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

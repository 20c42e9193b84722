import type { Schemas } from '../../../api/transport/client.ts';
import type { storageText } from './storage-text.ts';

export type Store = NonNullable<Schemas['Settings']['backups']['stores']>[number];
export type StoreKind = Store['kind'];

export interface StoreField {
  name: keyof typeof storageText.en & string;
  hint?: keyof typeof storageText.en;
  secret?: true;
  optional?: true;
  number?: true;
}

/** Fields of each kind of store, in order. */
export const STORE_FIELDS: Record<StoreKind, readonly StoreField[]> = {
  folder: [{ name: 'directory' }],
  s3: [
    { name: 'endpoint', optional: true },
    { name: 'region' },
    { name: 'bucket' },
    { name: 'prefix', optional: true },
    { name: 'accessKeyId' },
    { name: 'secretAccessKey', secret: true },
  ],
  webdav: [{ name: 'url' }, { name: 'username', optional: true }, { name: 'password', secret: true, optional: true }],
  sftp: [
    { name: 'host' },
    { name: 'port', number: true },
    { name: 'username' },
    { name: 'password', secret: true, optional: true },
    { name: 'privateKey', secret: true, optional: true },
    { name: 'passphrase', secret: true, optional: true },
    { name: 'directory' },
    { name: 'hostKey', hint: 'hostKeyHint' },
  ],
  rclone: [{ name: 'remote', hint: 'remoteHint' }],
};

export const STORE_KINDS = Object.keys(STORE_FIELDS) as StoreKind[];

/** Returns the store that the form describes: without empty fields, and with the fields of `before` that the form lacks. */
export function toStore(kind: StoreKind, typed: Record<string, string>, before?: Store): Store {
  const store: Record<string, unknown> = before?.kind === kind ? { ...before } : {};
  Object.assign(store, { kind, name: typed.name?.trim() });
  for (const { name, number } of STORE_FIELDS[kind]) {
    const value = typed[name]?.trim() ?? '';
    if (value === '') delete store[name];
    else store[name] = number ? Number(value) : value;
  }
  return store as unknown as Store;
}

import type { Command } from 'commander';
import { createKeyStore, type KeyStore, type StoredKey } from '../oauth/keys/key-store.ts';
import { PURPOSES, type Purpose, type Scheduled } from '../oauth/keys/schedule.ts';
import { configOf } from './config-of.ts';
import { withStore } from './with-store.ts';

const STATES = { signing: 'signs', previous: 'accepted', next: 'next', retired: 'retired' } as const;

export function addKey(program: Command): void {
  const key = program.command('key').description('Manage the keys that sign tokens and cookies');
  key
    .command('list')
    .description('Show the keys')
    .option('--json', 'Print JSON')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      await withKeys(command, (store) => print(store, json));
    });
  key
    .command('rotate')
    .description('Add new keys, which sign after a day; the proxy does this by itself every 90 days')
    .option('--now', 'Replace all keys at once, if somebody else may have them: all access tokens end')
    .option('--json', 'Print JSON')
    .action(async ({ now, json }: { now?: boolean; json?: boolean }, command: Command) => {
      await withKeys(command, async (store) => {
        if (now) await store.replaceAll();
        else for (const purpose of PURPOSES) await store.rotate(purpose);
        await print(store, json);
      });
    });
}

function withKeys(command: Command, work: (store: KeyStore) => Promise<void>): Promise<void> {
  return withStore(configOf(command), ({ database, vault }) =>
    work(createKeyStore({ database, vault, now: Date.now })),
  );
}

async function print(store: KeyStore, json = false): Promise<void> {
  const listed = [];
  for (const purpose of PURPOSES) listed.push(...(await store.read(purpose)).map((key) => describe(purpose, key)));
  const lines = listed.map(
    ({ id, purpose, state, signsFrom, retiresAt }) =>
      `${id}  ${purpose.padEnd(7)}  ${STATES[state].padEnd(8)}  signs from ${signsFrom}${retiresAt === undefined ? '' : `, accepted until ${retiresAt}`}`,
  );
  process.stdout.write(`${json ? JSON.stringify(listed) : lines.join('\n')}\n`);
}

function describe(purpose: Purpose, { id, state, publishedAt, signsFrom, retiresAt }: Scheduled<StoredKey>) {
  const date = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    id,
    purpose,
    state,
    publishedAt: date(publishedAt),
    signsFrom: date(signsFrom),
    ...(retiresAt !== undefined && { retiresAt: date(retiresAt) }),
  };
}

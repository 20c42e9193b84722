import type { ModTarget } from '../mods/mod-target.ts';

/** What modpacks are made for, as questions to Modrinth need it. */
export const PACK_TARGET: ModTarget = {
  folder: 'mods',
  loaders: ['fabric', 'quilt', 'neoforge', 'forge'],
  title: 'servers',
};

import type { Language } from '../../../../text/languages.ts';

export const GROUPS = ['game', 'players', 'world', 'network', 'other'] as const;
export type Group = (typeof GROUPS)[number];

export interface PropertyWords extends Record<Language, readonly [label: string, description: string]> {
  group: Group;
}

export type WordsByProperty = Readonly<Record<string, PropertyWords>>;

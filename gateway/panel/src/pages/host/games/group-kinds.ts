import type { Schemas } from '../../../api/transport/client.ts';

type Kind = Schemas['Software'];

export const GROUPS = ['minecraft', 'others', 'own'] as const;
export type Group = (typeof GROUPS)[number];

/** Returns the kinds of each group, in their order. The demo answers like Minecraft, but is none. */
export function groupKinds(kinds: readonly Kind[]): Record<Group, Kind[]> {
  return {
    minecraft: kinds.filter((kind) => groupOf(kind) === 'minecraft'),
    others: kinds.filter((kind) => groupOf(kind) === 'others'),
    own: kinds.filter((kind) => groupOf(kind) === 'own'),
  };
}

function groupOf({ own, command, listPing, program }: Kind): Group {
  if (own || command) return 'own';
  return listPing && program !== 'included' ? 'minecraft' : 'others';
}

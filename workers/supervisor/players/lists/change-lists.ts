import type { PlayerAction } from '../../../../shared/domain/players/player-action.ts';
import type { PlayerList } from '../../../../shared/domain/players/player-list.ts';
import type { SoftwareDefinition } from '../../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../../shared/domain/software/minecraft-version.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import type { AddedPlayers } from '../../../../shared/schema/player-lists.ts';
import { rulesOf } from '../../game/game-rules.ts';
import { readInstanceFile } from '../../properties/instance-file.ts';
import { playerCommand } from '../player-actions.ts';
import { changedList, type ListAction, type ListFacts, type ListRequest } from './changed-list.ts';
import { LIST_CHANGES } from './list-changes.ts';
import { type ListPlace, readListFile, writeListFile } from './list-file.ts';
import { readProfiles } from './profiles.ts';
import { tryEach } from './try-each.ts';

/** The first version whose lists are JSON (minecraft.wiki, "ops.json"). */
const FIRST_WITH_JSON = '1.7.6';
/** Vanilla's own `op-permission-level`. */
const DEFAULT_LEVEL = 4;

/** Returns whether an action changes a list that this software keeps in the format of Minecraft: Java Edition. */
export function isListAction(
  action: PlayerAction,
  { definition, version }: { definition: SoftwareDefinition; version: string },
): action is ListAction {
  if (action === 'kick' || definition.playerLists[LIST_CHANGES[action].list] === undefined) return false;
  return definition.edition === 'java' && definition.players === undefined && !isBelow(version, FIRST_WITH_JSON);
}

/**
 * Carries out an action in the file of a stopped server, which reads it when it starts. Resolves to the answer of vanilla's command. Throws as
 * `changedList` does, and as reading and writing the file do.
 */
export async function changeListFile(request: ListRequest, config: InstanceConfig): Promise<string> {
  const { list } = LIST_CHANGES[request.action];
  const where = { folder: config.directory, definition: rulesOf(config).definition };
  const changed = changedList(await readOwnList(list, where), request, await factsOf(config, where));
  await writeListFile(list, changed.entries, where);
  return changed.answer;
}

/** Adds players to the allowlist of a stopped server, of whom its own files may not know some. Throws as reading and writing the file do. */
export async function allowInFile(names: readonly string[], config: InstanceConfig): Promise<AddedPlayers> {
  const where = { folder: config.directory, definition: rulesOf(config).definition };
  const facts = await factsOf(config, where);
  let entries = await readOwnList('allowlist', where);
  const result = await tryEach(names, {
    add(name) {
      playerCommand({ name, action: 'whitelist' }, { ...where, version: config.version }); // throws if the name is none
      entries = changedList(entries, { name, action: 'whitelist' }, facts).entries;
    },
    withinMs: Number.POSITIVE_INFINITY,
  });
  if (result.added.length > 0) await writeListFile('allowlist', entries, where);
  return result;
}

/** Returns the entries of a list; throws `invalid_state` if this may be a game that keeps none. */
async function readOwnList(list: PlayerList, where: ListPlace): Promise<unknown[]> {
  const entries = await readListFile(list, where);
  // A custom program may be any game. If it is Minecraft's, its first start has created the file.
  if (entries === undefined && where.definition.launch.type === 'program')
    throw new GamekeeperError(
      'invalid_state',
      `There is no ${where.definition.playerLists[list]} in the server's folder.`,
      {
        resolution: 'Start the server once.',
      },
    );
  return entries ?? [];
}

async function factsOf(config: InstanceConfig, where: ListPlace): Promise<ListFacts> {
  const { values } = await readInstanceFile(config);
  const level = Number(values['op-permission-level']);
  return {
    profiles: { ...(await readProfiles(where)), isOnlineMode: values['online-mode'] !== 'false' },
    level: [1, 2, 3, 4].includes(level) ? level : DEFAULT_LEVEL,
    now: Date.now(),
  };
}

import { isSecretProperty } from '../../../shared/domain/properties/known-properties.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { OrphanedGame } from '../game/game-record.ts';
import type { GameRules } from '../game/game-rules.ts';
import { gameSettings } from '../properties/game-settings.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import type { PreparedFolder } from './prepare-folder.ts';

/** How to reach a game that runs already: where it was started to be, with the password that it read from its folder then. */
export async function leftFolder(
  left: OrphanedGame,
  { config, rules }: { config: InstanceConfig; rules: GameRules },
): Promise<PreparedFolder> {
  // A file that cannot be understood costs the way over RCON, but not the game.
  const { values } = await readInstanceFile(config).catch(() => ({ values: {} }));
  const { rcon } = gameSettings({ config, definition: rules.definition, properties: values, password: '' });
  const secrets = Object.entries(values).flatMap(([key, value]) =>
    isSecretProperty(key) && value !== '' ? [value] : [],
  );
  const { host, port, rconPort } = left;
  if (!rcon || rconPort === null || rcon.password === '') return { host, port, rcon: undefined, secrets };
  const { password } = rcon;
  return { host, port, rcon: { host, port: rconPort, password }, secrets: [...new Set([...secrets, password])] };
}

import { takesMinecraftCommands } from '../../../../shared/domain/software/admin-channel.ts';
import type { GamerulesRule } from '../../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { GameProcess } from '../../game/game-process.ts';
import { mayBeAnyGame, rulesOf } from '../../game/game-rules.ts';
import type { InstanceSettings } from '../../instance-settings.ts';
import type { Lifecycle } from '../../lifecycle/lifecycle.ts';

export interface RequireGameOptions {
  settings: Pick<InstanceSettings, 'current'>;
  lifecycle: Pick<Lifecycle, 'game' | 'rules' | 'phase'>;
  /** Returns true if the running game has shown that it is a Minecraft server. */
  seemsMinecraft: () => boolean;
}

/**
 * Returns the game that has game rules. Throws `invalid_request` for software without them, and `invalid_state` unless the server runs and is
 * known to be Minecraft.
 */
export function requireGame({ settings, lifecycle, seemsMinecraft }: RequireGameOptions): {
  game: GameProcess;
  rule: GamerulesRule;
} {
  const { game, rules, phase } = lifecycle;
  const { definition } = rules ?? rulesOf(settings.current);
  const { gamerules: rule, title } = definition;
  if (!rule || !takesMinecraftCommands(definition))
    throw new GamekeeperError('invalid_request', `${title} has no game rules.`, {
      resolution: 'Only servers of Minecraft: Java Edition have them.',
    });
  if (!game || phase !== 'running')
    throw new GamekeeperError(
      'invalid_state',
      `The server is ${phase}. Game rules are part of its world, and only the running game reads and sets them.`,
      { resolution: 'Start the server first.' },
    );
  if (mayBeAnyGame(definition, game) && !seemsMinecraft())
    throw new GamekeeperError(
      'invalid_state',
      'Game rules cannot be read or set, because this server has not shown that it is a Minecraft server.',
      { resolution: "Type the game's own command into the console." },
    );
  return { game, rule };
}

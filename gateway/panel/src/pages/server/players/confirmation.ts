import { answerPattern } from '../../../../../../shared/domain/players/player-answer.ts';
import bedrock from '../../../../../../shared/domain/software/kinds/bedrock.json' with { type: 'json' };
import vanilla from '../../../../../../shared/domain/software/kinds/vanilla.json' with { type: 'json' };
import type { PlayerAction, PlayerRequest } from '../../../api/players.ts';

/** The answers of Minecraft's servers, and of plugins such as Essentials. Software that extends vanilla answers like it. */
const CONFIRMATIONS: readonly Readonly<Partial<Record<PlayerAction, string>>>[] = [
  vanilla.playerDonePatterns,
  bedrock.playerDonePatterns,
];

/** Returns whether a server's answer to an action begins by saying that it worked. */
export function isConfirmation(answer: string, { name, action }: PlayerRequest): boolean {
  const plain = answer.replace(/§./g, '');
  return CONFIRMATIONS.some(({ [action]: source }) => source !== undefined && answerPattern(source, name).test(plain));
}

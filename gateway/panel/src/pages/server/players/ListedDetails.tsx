import { Text } from '@mantine/core';
import type { Listed, PlayerList } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { useNow } from '../../../ui/display/use-now.ts';
import { playersText } from './players-text.ts';

/** What the list says about a player: the level of an operator, the end and the reason of a ban. */
export function ListedDetails({ player: { level, reason, expiresAt }, list }: { player: Listed; list: PlayerList }) {
  const t = useWords(playersText);
  return (
    <Text span inherit c="dimmed">
      {level !== undefined && t('level', { level })}
      {list === 'bans' && (expiresAt === undefined ? t('permanent') : <BanEnd at={expiresAt} />)}
      {reason !== undefined && ` · ${reason}`}
    </Text>
  );
}

/** Vanilla removes an entry that has expired when it next looks at it. */
function BanEnd({ at }: { at: string }) {
  const t = useWords(playersText);
  const hasEnded = Date.parse(at) <= useNow();
  return (
    <>
      {t(hasEnded ? 'banEnded' : 'banEnds')} <RelativeTime at={at} />
    </>
  );
}

import { useInViewport } from '@mantine/hooks';
import { useDeferredValue } from 'react';
import { usePlayerSkins } from '../../api/player-skins.ts';
import { usePlayers } from '../../api/players.ts';
import type { Instance } from '../../api/transport/client.ts';
import { PlayerFace } from '../../ui/display/PlayerFace.tsx';

/** As many as fit into the widest card. */
const MOST_FACES = 10;
/** Pixels. */
const FACE_WIDTH = 20;

/** The faces of who plays on a server, once it is on screen: those that fit into the line. */
export function WhoPlays({ instance }: { instance: Instance }) {
  const { ref, inViewport } = useInViewport();
  // Of many servers, all are shown before their players.
  const enabled = useDeferredValue(inViewport);
  const { data: players = [] } = usePlayers(instance, { enabled });
  const skinOf = usePlayerSkins(instance, { enabled });
  const names = players.map(({ name }) => name);
  return (
    <span
      ref={ref}
      className="server-card-players"
      {...(names.length > 0 && { role: 'img', 'aria-label': names.join(', '), title: names.join(', ') })}
    >
      {names.slice(0, MOST_FACES).map((name) => (
        <PlayerFace key={name} name={name} skin={skinOf(name)} size={FACE_WIDTH} />
      ))}
    </span>
  );
}

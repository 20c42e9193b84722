import { useQuery } from '@tanstack/react-query';
import { filesOn } from '../../../api/roles.ts';
import { serverIconQuery } from '../../../api/server-icon.ts';
import type { Session } from '../../../api/session.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { ServerLetters } from '../../../ui/display/ServerLetters.tsx';

export interface ServerIconProps {
  instance: Instance;
  session: Session;
  /** Pixels. */
  size: number;
}

/** The server's own icon; until it is read, and without one, the first letters of its name. */
export function ServerIcon({ instance, session, size }: ServerIconProps) {
  const mayRead = filesOn(session, instance.id) !== undefined;
  const { data } = useQuery({ ...serverIconQuery(instance.id), enabled: mayRead });
  if (!data?.url) return <ServerLetters server={instance} size={size} />;
  return (
    <div className="server-icon" style={{ width: size, height: size }}>
      <img src={data.url} alt="" width={size} height={size} />
    </div>
  );
}

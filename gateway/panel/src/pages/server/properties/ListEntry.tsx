import { section, useWords } from '../../../text/section.ts';
import { Motd } from '../../../ui/motd/Motd.tsx';
import { ServerIcon } from '../identity/ServerIcon.tsx';
import { playerCount } from '../labels.ts';
import type { TabProps } from '../tab-props.ts';

const text = section({
  en: { inGame: "In the game's server list" },
  de: { inGame: 'In der Serverliste des Spiels' },
  zh: { inGame: '在游戏的服务器列表中' },
});

/** Pixels, as of the image. */
const ICON_SIZE = 64;

export interface ListEntryProps extends Pick<TabProps, 'instance' | 'session'> {
  motd: string;
}

/** A server as the game shows it in the list of servers. */
export function ListEntry({ instance, session, motd }: ListEntryProps) {
  const t = useWords(text);
  return (
    <figure className="list-entry">
      <figcaption className="tiny-text dimmed">{t('inGame')}</figcaption>
      <div className="list-entry-box">
        <ServerIcon instance={instance} session={session} size={ICON_SIZE} />
        <div className="list-entry-words">
          <div className="list-entry-head">
            <bdi className="truncated">{instance.name}</bdi>
            <span>{playerCount(instance)}</span>
          </div>
          <Motd motd={motd} />
        </div>
      </div>
    </figure>
  );
}

import { Menu } from '@mantine/core';
import { IconDots, IconPlayerStop, IconRefresh, IconSkull } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { PlainIconButton } from '../../../ui/button/PlainIconButton.tsx';
import { phaseOf } from '../../../ui/display/phase.ts';
import { serverText } from '../server-text.ts';

export const STOP = 'var(--mantine-color-stop-6)';

interface LifecycleMenuProps {
  instance: Instance;
  /** Whether the menu also has what a wide page shows as buttons. */
  compact: boolean;
  act: (action: 'stop' | 'restart') => void;
  onKill: () => void;
}

/** The less frequent actions. Only the button is mounted until it is first pressed: a page may have many. */
export function LifecycleMenu(props: LifecycleMenuProps) {
  const t = useWords(serverText);
  const [isMounted, setMounted] = useState(false);
  if (isMounted) return <MountedMenu {...props} />;
  return (
    <PlainIconButton
      aria-label={t('more')}
      title={t('more')}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setMounted(true)}
    >
      <IconDots size={16} />
    </PlainIconButton>
  );
}

function MountedMenu({ instance, compact, act, onKill }: LifecycleMenuProps) {
  const t = useWords(serverText);
  const [opened, setOpened] = useState(false);
  const stopped = instance.status === 'stopped';
  const sleeping = phaseOf(instance) === 'sleeping';
  // Opens once the button has the focus, so that Escape leads back to it.
  useEffect(() => setOpened(true), []);
  return (
    <Menu position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <PlainIconButton autoFocus aria-label={t('more')} title={t('more')}>
          <IconDots size={16} />
        </PlainIconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {sleeping && (
          <Menu.Item leftSection={<IconPlayerStop size={16} color={STOP} />} onClick={() => act('stop')}>
            {t('stop')}
          </Menu.Item>
        )}
        {compact && !stopped && (
          <Menu.Item
            leftSection={<IconRefresh size={16} />}
            onClick={() => act('restart')}
            disabled={phaseOf(instance) === 'stopping'}
          >
            {t('restart')}
          </Menu.Item>
        )}
        {!stopped && (
          <Menu.Item color="danger" leftSection={<IconSkull size={16} />} onClick={onKill}>
            {t('kill')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconSkull } from '@tabler/icons-react';
import { type LifecycleAction, useLifecycle } from '../../../api/instances.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { phaseOf } from '../../../ui/display/phase.ts';
import { serverName } from '../../../ui/display/server-name.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { useToolbar } from '../../../ui/toolbar/use-toolbar.ts';
import { serverText } from '../server-text.ts';
import { disconnecting } from './DisconnectPlayers.tsx';
import { notifyFailedStart } from './notify-failed-start.ts';

const STOP = 'var(--mantine-color-stop-6)';

export interface LifecycleButtonsProps {
  instance: Instance;
  /** Only the main button and the menu. */
  compact?: boolean;
  /** The page shows the server's notices, and so a start that failed. */
  hasNotices?: boolean;
}

/** The main action for the server's state, with the others next to it or in a menu. */
export function LifecycleButtons({ instance, compact = false, hasNotices = false }: LifecycleButtonsProps) {
  const t = useWords(serverText);
  const lifecycle = useLifecycle();
  const toolbar = useToolbar();
  const [killing, { open, close }] = useDisclosure(false);
  const run = (action: LifecycleAction) => lifecycle.mutateAsync({ id: instance.id, action });
  const startFailed = (error: unknown) => (hasNotices ? notifyFailedStart(error, instance) : notifyProblem(error));
  const act = (action: 'start' | 'stop' | 'restart') => {
    if (action === 'start') run(action).catch(startFailed);
    else disconnecting(instance, action, { run: () => run(action), onError: notifyProblem });
  };
  const stopped = instance.status === 'stopped';
  const stopping = phaseOf(instance) === 'stopping';
  const sleeping = phaseOf(instance) === 'sleeping';
  return (
    <Group gap="xs" wrap="nowrap" {...(!compact && { ...toolbar, 'aria-label': t('actions') })}>
      {stopped ? (
        <Button
          color="start"
          leftSection={<IconPlayerPlay size={16} />}
          onClick={() => act('start')}
          loading={lifecycle.isPending}
          disabled={instance.activity === 'restoring'}
        >
          {t('start')}
        </Button>
      ) : (
        <>
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} color={STOP} />}
            onClick={() => act('stop')}
            loading={lifecycle.isPending || stopping}
          >
            {t('stop')}
          </Button>
          {!compact && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} />}
              onClick={() => act('restart')}
              disabled={lifecycle.isPending || stopping}
            >
              {t('restart')}
            </Button>
          )}
        </>
      )}
      {sleeping && !compact && (
        <Button variant="default" leftSection={<IconPlayerStop size={16} color={STOP} />} onClick={() => act('stop')}>
          {t('stop')}
        </Button>
      )}
      {(!stopped || (sleeping && compact)) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('more')} title={t('more')}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {sleeping && (
              <Menu.Item leftSection={<IconPlayerStop size={16} color={STOP} />} onClick={() => act('stop')}>
                {t('stop')}
              </Menu.Item>
            )}
            {compact && !stopped && (
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => act('restart')} disabled={stopping}>
                {t('restart')}
              </Menu.Item>
            )}
            {!stopped && (
              <Menu.Item color="danger" leftSection={<IconSkull size={16} />} onClick={open}>
                {t('kill')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {(!stopped || killing) && (
        <Confirm
          opened={killing}
          onClose={close}
          title={t('killTitle', { name: serverName(instance) })}
          action={t('kill')}
          word={instance.name.trim()}
          onConfirm={() => run('kill')}
        >
          {t('killWarning')}
        </Confirm>
      )}
    </Group>
  );
}

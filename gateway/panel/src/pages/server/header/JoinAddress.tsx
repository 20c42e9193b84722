import { ActionIcon, Anchor, Group, Popover, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTunnelAddress } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { addressToShare, lanHosts, serverAddress } from '../labels.ts';
import type { TabProps } from '../tab-props.ts';
import { joinText } from './join-text.ts';

/** The address to share: the public one if it works, else that in the local network. A button explains all of them. */
export function JoinAddress({ instance, session }: TabProps) {
  const t = useWords(joinText);
  const [opened, { toggle, close }] = useDisclosure(false);
  const { id, port } = instance;
  const isAdmin = session.role === 'admin';
  const tunnel = useTunnelAddress(id, { enabled: isAdmin }).data;
  const isPublic = instance.publicAddress !== undefined;
  const publicAddress = instance.publicAddress ?? tunnel?.tunnelAddress ?? '';
  const hosts = lanHosts(session, window.location.hostname);
  return (
    <Group gap={0} wrap="nowrap" miw={0}>
      <CopyText value={addressToShare(instance, session)} />
      <Popover
        opened={opened}
        onDismiss={close}
        width={320}
        position="bottom-end"
        trapFocus
        shadow="none"
        transitionProps={{ duration: 100 }}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            onClick={toggle}
            aria-label={t('title')}
            title={t('title')}
          >
            <IconUserPlus size={16} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('title')}>
          <Stack gap="sm">
            <Way
              title={t('lan')}
              addresses={hosts.map((host) => serverAddress(instance, host))}
              needs={hosts.length > 0 ? t('lanNeeds', { port }) : t('noLan')}
            />
            <Way
              title={t('internet')}
              addresses={publicAddress === '' ? [] : [publicAddress]}
              needs={t(
                isPublic ? 'internetNeeds' : !isAdmin ? 'askAdmin' : publicAddress === '' ? 'noPublic' : 'notWorking',
              )}
            >
              {isAdmin && (
                <Anchor component={Link} href={`/servers/${id}/tunnel`} size="sm" td="underline" onClick={close}>
                  {t(publicAddress === '' ? 'setUp' : 'seePublic')}
                </Anchor>
              )}
            </Way>
            <Way title={t('here')} addresses={[serverAddress(instance, 'localhost')]} needs={t('hereNeeds')} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

interface WayProps {
  title: string;
  addresses: readonly string[];
  /** What it takes for players to join this way. */
  needs: string;
  children?: ReactNode;
}

function Way({ title, addresses, needs, children }: WayProps) {
  return (
    <Stack gap={2}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {addresses.map((address) => (
        <CopyText key={address} value={address} monospace />
      ))}
      <Text size="sm">{needs}</Text>
      {children}
    </Stack>
  );
}

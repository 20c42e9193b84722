import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { useRemoveKind } from '../../../api/software.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { KindIcon } from '../../../ui/games/KindIcon.tsx';
import { useKindLine } from '../../../ui/games/kind-text.ts';
import { gamesText } from './games-text.ts';

interface KindCardProps {
  software: Schemas['Software'];
  mayCreate: boolean;
  mayRemove: boolean;
}

export function KindCard({ software, mayCreate, mayRemove }: KindCardProps) {
  const t = useWords(gamesText);
  const lineOf = useKindLine();
  const remove = useRemoveKind();
  const [removing, { open, close }] = useDisclosure(false);
  const { kind, title, program, missing = '', own } = software;
  return (
    <Paper p="md" component="article" aria-label={title} display="flex">
      <Stack gap="sm" flex={1} miw={0}>
        <Group gap="sm" wrap="nowrap" align="flex-start" flex={1}>
          <KindIcon software={software} size={40} />
          <Stack gap={2} miw={0}>
            <Title order={3} size="sm" className="breakable">
              {title}
            </Title>
            <Text size="sm">{lineOf(software)}</Text>
            <Text size="sm" c="dimmed">
              {t(program, { missing })} {own && t('file')}
            </Text>
          </Stack>
        </Group>
        {(mayCreate || mayRemove) && (
          <Group justify="flex-end" gap="xs">
            {mayRemove && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="danger"
                aria-label={t('removeOf', { title })}
                onClick={open}
              >
                {t('remove')}
              </Button>
            )}
            {mayCreate && (
              <Button
                component={Link}
                href={`/new?kind=${encodeURIComponent(kind)}`}
                size="compact-sm"
                variant="default"
                aria-label={t('createOf', { title })}
              >
                {t('create')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <Confirm
        opened={removing}
        onClose={close}
        title={t('removeTitle', { title })}
        action={t('remove')}
        onConfirm={async () => {
          await remove.mutateAsync(kind);
          notifyDone(t('removed', { title }));
        }}
      >
        {t('removeWords')}
      </Confirm>
    </Paper>
  );
}

import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { filesOn } from '../../../api/roles.ts';
import { useWorlds } from '../../../api/worlds.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { WorldCard } from './WorldCard.tsx';
import { type PlannedChange, WorldDialog } from './WorldDialog.tsx';
import { worldsText } from './worlds-text.ts';

/** The worlds of a Minecraft server. */
export function WorldsTab({ instance, session }: TabProps) {
  const t = useWords(worldsText);
  const [planned, setPlanned] = useState<PlannedChange>();
  const worlds = useWorlds(instance.id);
  const mayChange = filesOn(session, instance.id) === 'write';
  const all = worlds.data?.worlds;
  const upload = mayChange && (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} />}
      onClick={() => setPlanned({ kind: 'upload', folder: all?.length === 0 ? 'world' : '' })}
    >
      {t('upload')}
    </Button>
  );
  return (
    <Box className="page-width" py="md">
      {worlds.isPending && <Skeleton h={160} />}
      {worlds.isError && <ProblemAlert error={worlds.error} onRetry={() => void worlds.refetch()} />}
      {all?.length === 0 && (
        <EmptyState title={t('emptyTitle')} action={upload}>
          {t('empty')}
        </EmptyState>
      )}
      {all && all.length > 0 && (
        <Stack>
          <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {all.map((world) => (
              <WorldCard
                key={world.folder}
                instanceId={instance.id}
                world={world}
                mayChange={mayChange}
                onPlan={(kind) => setPlanned({ kind, folder: world.folder })}
              />
            ))}
          </Stack>
          {mayChange && (
            <Group>
              {upload}
              <Text size="sm" c="dimmed">
                {t('replaceHint')}
              </Text>
            </Group>
          )}
        </Stack>
      )}
      {planned && <WorldDialog instance={instance} planned={planned} onClose={() => setPlanned(undefined)} />}
    </Box>
  );
}

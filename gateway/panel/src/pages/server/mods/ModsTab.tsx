import { Box, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ModWish } from '../../../api/mods.ts';
import type { TabProps } from '../tab-props.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { InstalledMods } from './InstalledMods.tsx';
import { ModSearch } from './ModSearch.tsx';

/** The mods or plugins of a server, and those that it could have. */
export function ModsTab({ instance, session }: TabProps) {
  const [wish, setWish] = useState<ModWish>();
  // What they hold is run on the host.
  const mayChange = session.role === 'admin';
  return (
    <Box p="md" maw={960}>
      <Stack gap="xl">
        <InstalledMods instanceId={instance.id} mayChange={mayChange} onWish={setWish} />
        <ModSearch instanceId={instance.id} mayChange={mayChange} onWish={setWish} />
      </Stack>
      {wish && <ChangeDialog instanceId={instance.id} wish={wish} onClose={() => setWish(undefined)} />}
    </Box>
  );
}

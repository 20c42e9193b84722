import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useDeleteInstance } from '../../../api/instances.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { serverName } from '../../../ui/display/server-name.ts';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { settingsText } from './settings-text.ts';

/** Removes the server from Gamekeeper. Deletes its files and backups only if the user chooses to. */
export function DeleteServer({ instance }: { instance: Instance }) {
  const t = useWords(settingsText);
  const deletion = useDeleteInstance(instance.id);
  const [, navigate] = useLocation();
  const [opened, { open, close }] = useDisclosure(false);
  const [files, setFiles] = useState(false);
  const [backups, setBackups] = useState(false);
  const stopped = instance.status === 'stopped';

  const remove = async () => {
    await deletion.mutateAsync({ files: files ? 'delete' : 'keep', backups: backups ? 'delete' : 'keep' });
    navigate('/');
  };

  return (
    <FormSection title={t('deleteHeading')} hint={t(stopped ? 'deleteHint' : 'stopFirst')}>
      <Group justify="flex-end">
        <Button color="danger" variant="outline" onClick={open} disabled={!stopped}>
          {t('delete')}
        </Button>
      </Group>
      <Confirm
        opened={opened}
        onClose={close}
        title={t('deleteTitle', { name: serverName(instance) })}
        action={t('delete')}
        word={instance.name.trim()}
        onConfirm={remove}
      >
        <Stack gap="xs">
          <Checkbox
            label={t('deleteFiles')}
            checked={files}
            onChange={(event) => setFiles(event.currentTarget.checked)}
          />
          <Checkbox
            label={t('deleteBackups')}
            checked={backups}
            onChange={(event) => setBackups(event.currentTarget.checked)}
          />
          <Text size="sm" c="dimmed">
            {t('deleteKeeps')}
          </Text>
        </Stack>
      </Confirm>
    </FormSection>
  );
}

import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type SettingsDocument, useChangeSettings } from '../../../api/settings.ts';
import { api } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyDone, notifyProblem } from '../../../ui/feedback/notify.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { StoreDialog } from './StoreDialog.tsx';
import { storageText } from './storage-text.ts';
import type { Store } from './store-fields.ts';

export function Stores({ document }: { document: SettingsDocument }) {
  const t = useWords(storageText);
  const save = useChangeSettings();
  const stores = document.settings.backups.stores ?? [];
  const [edited, setEdited] = useState<Store | 'new'>();
  const [removed, setRemoved] = useState<Store>();
  const [testing, setTesting] = useState<string>();
  const store = (next: Store[]) =>
    save.mutateAsync({ change: { backups: { stores: next.length === 0 ? null : next } }, etag: document.etag });
  const test = async (name: string) => {
    setTesting(name);
    await api
      .POST('/api/stores/{name}/test', { params: { path: { name } } })
      .then(() => notifyDone(t('tested', { name })))
      .catch(notifyProblem);
    setTesting(undefined);
  };
  const isEmpty = stores.length === 0;
  const add = (
    <Button variant={isEmpty ? 'filled' : 'default'} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <FormSection title={t('stores')} {...(!isEmpty && { hint: t('storesHint') })}>
      <Stack>
        {isEmpty ? (
          <EmptyState picture="chest" title={t('storesEmptyTitle')} action={add} order={3} brief>
            {t('storesEmpty')}
          </EmptyState>
        ) : (
          <Group justify="flex-end">{add}</Group>
        )}
        {stores.map((each) => (
          <Group key={each.name} justify="space-between">
            <Group gap="xs">
              <Text size="sm">{each.name}</Text>
              <Badge variant="default" tt="none" fw={400}>
                {t(each.kind)}
              </Badge>
            </Group>
            <Group gap={4}>
              <Button
                size="compact-sm"
                variant="default"
                loading={testing === each.name}
                onClick={() => void test(each.name)}
              >
                {t('test')}
              </Button>
              <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setEdited(each)}>
                {t('edit')}
              </Button>
              <Button size="compact-sm" variant="subtle" color="danger" onClick={() => setRemoved(each)}>
                {t('remove')}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
      {edited !== undefined && (
        <StoreDialog
          {...(edited !== 'new' && { store: edited })}
          onClose={() => setEdited(undefined)}
          onSave={(next) =>
            store(
              edited === 'new' ? [...stores, next] : stores.map((each) => (each.name === edited.name ? next : each)),
            )
          }
        />
      )}
      <Confirm
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('removeTitle', { name: removed?.name ?? '' })}
        action={t('remove')}
        onConfirm={() => store(stores.filter(({ name }) => name !== removed?.name))}
      >
        {t('removeWarning')}
      </Confirm>
    </FormSection>
  );
}

import { Button, Group, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { storageText } from './storage-text.ts';
import { STORE_FIELDS, STORE_KINDS, type Store, type StoreField, type StoreKind, toStore } from './store-fields.ts';

export interface StoreDialogProps {
  /** Absent: adds a new one. */
  store?: Store;
  onSave: (store: Store) => Promise<unknown>;
  onClose: () => void;
}

/** Adds or edits an off-site storage. Stored secrets show as dots and stay unless the user types new ones. */
export function StoreDialog({ store, onSave, onClose }: StoreDialogProps) {
  const t = useWords(storageText);
  const [kind, setKind] = useState<StoreKind>(store?.kind ?? 'folder');
  const [typed, setTyped] = useState<Record<string, string>>(() => (store ? asTyped(store) : { port: '22' }));
  const save = useMutation({ mutationFn: onSave, onSuccess: onClose });
  const inputOf = ({ name, hint, secret, optional }: StoreField) => {
    const Input = secret ? PasswordInput : TextInput;
    return (
      <Input
        key={name}
        label={t(name)}
        {...(hint && { description: t(hint) })}
        {...(optional && { placeholder: t('optional') })}
        required={!optional}
        autoComplete="off"
        value={typed[name] ?? ''}
        onChange={(event) => {
          const value = event.currentTarget.value;
          setTyped((before) => ({ ...before, [name]: value }));
        }}
      />
    );
  };
  return (
    <Dialog keepTyped opened onClose={onClose} title={store ? t('edit') : t('add')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(toStore(kind, typed, store));
        }}
      >
        <Stack>
          <Select
            label={t('kind')}
            data={STORE_KINDS.map((value) => ({ value, label: t(value) }))}
            value={kind}
            onChange={(value) => value && setKind(value as StoreKind)}
            allowDeselect={false}
            disabled={store !== undefined}
          />
          {inputOf({ name: 'name' })}
          {STORE_FIELDS[kind].map(inputOf)}
          {save.error && <ProblemAlert error={save.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function asTyped(store: Store): Record<string, string> {
  return Object.fromEntries(Object.entries(store).map(([name, value]) => [name, String(value)]));
}

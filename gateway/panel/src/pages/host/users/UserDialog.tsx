import { Button, Checkbox, Group, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../api/transport/client.ts';
import { useUserChanges } from '../../../api/users.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { type Grants, GrantsInput } from './GrantsInput.tsx';
import { usersText } from './users-text.ts';

const ROLES = ['viewer', 'operator', 'admin'] as const;

interface Values {
  username: string;
  role: (typeof ROLES)[number];
  password: string;
  instances: Grants;
  disabled: boolean;
  resetTwoFactor: boolean;
}

export function UserDialog({ user, onClose }: { user?: Schemas['User']; onClose: () => void }) {
  const t = useWords(usersText);
  const { add, change } = useUserChanges();
  const form = useForm<Values>({
    initialValues: {
      username: user?.username ?? '',
      role: user?.role ?? 'operator',
      password: '',
      instances: user?.instances ?? ['*'],
      disabled: user?.disabled ?? false,
      resetTwoFactor: false,
    },
  });
  const submit = async ({ username, role, password, instances, disabled, resetTwoFactor }: Values) => {
    if (user) {
      await change.mutateAsync({
        username,
        role,
        instances,
        disabled,
        ...(password !== '' && { password, mustChangePassword: true }),
        ...(resetTwoFactor && { totp: false as const }),
      });
      onClose();
    } else {
      const created = await add.mutateAsync({ username, role, instances, ...(password !== '' && { password }) });
      if (created.password === undefined) onClose();
    }
  };
  const created = add.data;
  const error = add.error ?? change.error;
  return (
    <Dialog keepTyped opened onClose={onClose} title={user ? t('edit', { name: user.username }) : t('add')}>
      {created?.password !== undefined ? (
        <OneTimeSecret
          label={t('password')}
          secret={created.password}
          explanation={t('created', { name: created.username })}
          onClose={onClose}
        />
      ) : (
        // Errors are shown below the fields.
        <form onSubmit={form.onSubmit((values) => void submit(values).catch(() => undefined))}>
          <Stack>
            {!user && (
              <TextInput
                label={t('username')}
                required
                maxLength={64}
                autoComplete="off"
                autoCapitalize="none"
                data-autofocus
                {...form.getInputProps('username')}
              />
            )}
            <Radio.Group label={t('role')} {...form.getInputProps('role')}>
              <Stack gap={6} mt={6}>
                {ROLES.map((role) => (
                  <Radio key={role} value={role} label={t(role)} description={t(`${role}Hint`)} />
                ))}
              </Stack>
            </Radio.Group>
            {form.values.role !== 'admin' && (
              <GrantsInput
                role={form.values.role}
                value={form.values.instances}
                onChange={(grants) => form.setFieldValue('instances', grants)}
              />
            )}
            <PasswordInput
              label={user ? t('resetPassword') : t('password')}
              description={user ? t('resetPasswordHint') : t('passwordHint')}
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
            {user?.totp && (
              <Checkbox label={t('resetTwoFactor')} {...form.getInputProps('resetTwoFactor', { type: 'checkbox' })} />
            )}
            {user && <Checkbox label={t('block')} {...form.getInputProps('disabled', { type: 'checkbox' })} />}
            {error && <ProblemAlert error={error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={add.isPending || change.isPending}>
                {user ? t('save') : t('add')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

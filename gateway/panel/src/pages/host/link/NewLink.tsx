import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRequestLink } from '../../../api/link.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { SCOPES } from '../tokens/NewTokenDialog.tsx';
import { linkText } from './link-text.ts';
import { type Scopes, ScopesInput } from './ScopesInput.tsx';

/** Explains remote access, and asks for the proxy and what it may do. */
export function NewLink() {
  const t = useWords(linkText);
  const request = useRequestLink();
  const form = useForm({ initialValues: { url: '', scopes: [...SCOPES] as Scopes, telemetry: false } });
  return (
    <FormSection title={t('notLinked')} hint={t('explanation')}>
      <form onSubmit={form.onSubmit((values) => request.mutate(values))}>
        <Stack>
          <TextInput
            label={t('address')}
            description={t('addressHint')}
            placeholder="https://proxy.example.net"
            type="text"
            inputMode="url"
            autoComplete="url"
            required
            maxLength={2048}
            {...form.getInputProps('url')}
          />
          <ScopesInput {...form.getInputProps('scopes')} />
          <Checkbox
            label={t('telemetrySwitch')}
            description={t('telemetryHint')}
            {...form.getInputProps('telemetry', { type: 'checkbox' })}
          />
          {request.error && <ProblemAlert error={request.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={request.isPending} disabled={form.values.scopes.length === 0}>
              {t('link')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormSection>
  );
}

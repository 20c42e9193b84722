import { Checkbox, Stack } from '@mantine/core';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { SCOPES } from '../tokens/NewTokenDialog.tsx';
import { tokensText } from '../tokens/tokens-text.ts';
import { linkText } from './link-text.ts';

export type Scopes = Schemas['LinkedProxy']['scopes'];

/** All that the proxy may do here. */
export function ScopesInput({ value, onChange }: { value?: Scopes; onChange?: (value: Scopes) => void }) {
  const t = useWords(linkText);
  const scopeLabel = useWords(tokensText);
  return (
    <Checkbox.Group
      label={t('ceiling')}
      description={t('ceilingHint')}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      {...(value && { value })}
      onChange={(chosen) => onChange?.(chosen as Scopes)}
    >
      <Stack gap={6} mt={6}>
        {SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeLabel(scope)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

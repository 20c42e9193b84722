import { Anchor, Checkbox, type CheckboxProps } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { MINECRAFT_EULA } from '../../ui/games/minecraft-eula.ts';
import { newServerText } from './new-server-text.ts';

/** `input`: as `getInputProps` returns it. */
export function EulaCheckbox(input: CheckboxProps) {
  const t = useWords(newServerText);
  return (
    <Checkbox
      label={
        <>
          {t('eula')}{' '}
          <Anchor href={MINECRAFT_EULA} target="_blank" rel="noreferrer noopener" size="sm" underline="always">
            {t('eulaLink')}
          </Anchor>
        </>
      }
      description={t('eulaNeeded')}
      {...input}
    />
  );
}

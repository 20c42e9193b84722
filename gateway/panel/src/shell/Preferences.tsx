import { ActionIcon, Group, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconLanguage, IconLogout, IconSunMoon } from '@tabler/icons-react';
import { useSignOut } from '../api/session.ts';
import { useLanguage } from '../text/language.ts';
import { LANGUAGES, type Language } from '../text/languages.ts';
import { useWords } from '../text/section.ts';
import { shellText } from './shell-text.ts';

/** Each language's own name, readable whatever language is set. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', zh: '中文' };

export function AppearanceButtons() {
  const t = useWords(shellText);
  const { language, choose } = useLanguage();
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('language')} title={t('language')}>
            <IconLanguage size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {LANGUAGES.map((each) => (
            <Menu.Item
              key={each}
              lang={each}
              leftSection={each === language ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
              onClick={() => choose(each)}
            >
              {NAMES[each]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => toggleColorScheme()}
        aria-label={t('scheme')}
        title={t('scheme')}
      >
        <IconSunMoon size={18} />
      </ActionIcon>
    </>
  );
}

export function Preferences({ username }: { username: string }) {
  const t = useWords(shellText);
  const signOut = useSignOut();
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" truncate flex={1} px="xs" title={username}>
        {username}
      </Text>
      <AppearanceButtons />
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => signOut.mutate()}
        aria-label={t('signOut')}
        title={t('signOut')}
      >
        <IconLogout size={18} />
      </ActionIcon>
    </Group>
  );
}

import { ActionIcon, Box, ColorSwatch, Group, Textarea, UnstyledButton } from '@mantine/core';
import { IconBold, IconClearFormatting, IconItalic, IconUnderline } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { section, useWords } from '../../../text/section.ts';
import { MOTD_COLORS } from '../../../ui/motd/parse-motd.ts';

const text = section({
  en: {
    colours: 'Colours and styles',
    colour: 'Insert colour §{code}',
    l: 'Bold',
    o: 'Italic',
    n: 'Underlined',
    r: 'End of colours and styles',
  },
  de: {
    colours: 'Farben und Stile',
    colour: 'Farbe §{code} einfügen',
    l: 'Fett',
    o: 'Kursiv',
    n: 'Unterstrichen',
    r: 'Ende der Farben und Stile',
  },
  zh: {
    colours: '颜色和样式',
    colour: '插入颜色 §{code}',
    l: '粗体',
    o: '斜体',
    n: '下划线',
    r: '结束颜色和样式',
  },
});

const STYLES = [
  ['l', IconBold],
  ['o', IconItalic],
  ['n', IconUnderline],
  ['r', IconClearFormatting],
] as const;

export interface MotdInputProps {
  label: ReactNode;
  description: string | undefined;
  disabled: boolean;
  value: string;
  /** Shows what players will see. */
  preview: (motd: string) => ReactNode;
  onChange: (value: string) => void;
}

/** The message of the day with its codes, buttons that insert them at the cursor, and what players will see. */
export function MotdInput({ value, disabled, preview, onChange, ...named }: MotdInputProps) {
  const t = useWords(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (code: string) => {
    const { selectionStart: start, selectionEnd: end } = field.current ?? { selectionStart: 0, selectionEnd: 0 };
    onChange(`${value.slice(0, start)}§${code}${value.slice(end)}`);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + 2, start + 2);
    });
  };
  return (
    <Box>
      <Textarea
        {...named}
        ref={field}
        value={value}
        disabled={disabled}
        maxLength={10_000}
        rows={2}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Box mt={8}>
        <Group gap={4} role="group" aria-label={t('colours')}>
          {Object.entries(MOTD_COLORS).map(([code, color]) => (
            <UnstyledButton
              key={code}
              disabled={disabled}
              p={2}
              title={t('colour', { code })}
              aria-label={t('colour', { code })}
              onClick={() => insert(code)}
            >
              <ColorSwatch component="span" display="block" color={color} size={20} radius={4} />
            </UnstyledButton>
          ))}
          <Group gap={4} wrap="nowrap">
            {STYLES.map(([code, Icon]) => (
              <ActionIcon
                key={code}
                variant="subtle"
                color="gray"
                size={24}
                disabled={disabled}
                title={t(code)}
                aria-label={t(code)}
                onClick={() => insert(code)}
              >
                <Icon size={16} />
              </ActionIcon>
            ))}
          </Group>
        </Group>
      </Box>
      {preview(value)}
    </Box>
  );
}

import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** What stands for a secret that is there; written back, it leaves the secret as it is. */
export const MASK = '********';

export interface SecretInputProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
}

/** A secret, unseen. The mask of one that is there is replaced as a whole, so that nothing of it becomes part of the next. */
export function SecretInput({ value, onChange, ...props }: SecretInputProps) {
  return (
    <PasswordInput
      {...props}
      value={value}
      maxLength={10_000}
      // The browser's own store would offer the password of whoever is signed in.
      autoComplete="new-password"
      onSelect={({ currentTarget }) => {
        const { selectionStart, selectionEnd } = currentTarget;
        if (value === MASK && (selectionStart !== 0 || selectionEnd !== MASK.length)) currentTarget.select();
      }}
      onChange={({ currentTarget }) =>
        onChange(value === MASK ? currentTarget.value.replace(MASK, '') : currentTarget.value)
      }
    />
  );
}

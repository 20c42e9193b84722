import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { MASK, typedSecret } from './property-input.ts';

export interface SecretInputProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
}

/** An input for a secret. Replaces the mask of a stored secret as a whole, so that no part of it ends up in the new one. */
export function SecretInput({ value, onChange, ...props }: SecretInputProps) {
  return (
    <PasswordInput
      {...props}
      value={value}
      maxLength={10_000}
      // Otherwise the browser offers the user's own password.
      autoComplete="new-password"
      onSelect={({ currentTarget }) => {
        const { selectionStart, selectionEnd } = currentTarget;
        if (value === MASK && (selectionStart !== 0 || selectionEnd !== MASK.length)) currentTarget.select();
      }}
      onChange={({ currentTarget }) => onChange(typedSecret(value, currentTarget.value))}
    />
  );
}

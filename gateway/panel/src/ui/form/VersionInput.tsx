import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useSoftware, useSoftwareVersions } from '../../api/software.ts';

const MAX_SUGGESTIONS = 40;

/** Suggests the versions that the vendor lists, stable ones first, and accepts any other. */
export function VersionInput({ software, ...props }: { software: string } & Omit<AutocompleteProps, 'data'>) {
  const lists = useSoftware().data?.find(({ kind }) => kind === software)?.versions === true;
  const { data } = useSoftwareVersions(software, { enabled: lists });
  const versions = data?.versions.toSorted((a, b) => Number(b.stable) - Number(a.stable)) ?? [];
  return (
    <Autocomplete
      data={[...new Set(versions.map(({ version }) => version))]}
      limit={MAX_SUGGESTIONS}
      autoComplete="off"
      {...props}
    />
  );
}

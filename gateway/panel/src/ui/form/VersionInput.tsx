import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useSoftware, useSoftwareVersions } from '../../api/software.ts';

/** As many as anybody scrolls through; the rest is found by typing. */
const MOST_SHOWN = 40;

/** A version of a kind of software: one that its vendor lists, or any other that is typed. */
export function VersionInput({ software, ...props }: { software: string } & Omit<AutocompleteProps, 'data'>) {
  const lists = useSoftware().data?.find(({ kind }) => kind === software)?.versions === true;
  const { data } = useSoftwareVersions(software, { enabled: lists });
  // What is stable first; whoever wants a snapshot types its beginning. Without an answer it is a plain field.
  const versions = data?.versions.toSorted((a, b) => Number(b.stable) - Number(a.stable)) ?? [];
  return (
    <Autocomplete
      data={[...new Set(versions.map(({ version }) => version))]}
      limit={MOST_SHOWN}
      autoComplete="off"
      {...props}
    />
  );
}

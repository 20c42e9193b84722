import { useLocation, useSearch } from 'wouter';

/** A part of the address after the question mark, so that what it opens can be linked and reloaded, and Back closes it. */
export interface AddressPart {
  /** `undefined`: closed. */
  value: string | undefined;
  open(value: string): void;
  close(): void;
}

/** The state of a history entry that this page has added: the one before it is the same page without the part. */
const OPENED_HERE = 'opened-here';

export function useAddressPart(name: string): AddressPart {
  const value = new URLSearchParams(useSearch()).get(name) || undefined;
  const [here, navigate] = useLocation();
  return {
    value,
    open: (next) => navigate(`${here}?${new URLSearchParams({ [name]: next })}`, { state: OPENED_HERE }),
    close() {
      const wasOpenedHere = window.history.state === OPENED_HERE;
      navigate(here, { replace: true });
      if (wasOpenedHere) window.history.back();
    },
  };
}

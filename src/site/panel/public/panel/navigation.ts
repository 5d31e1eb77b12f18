import { useEffect, useState } from 'preact/hooks';

const CHANGED = 'navigated';

/** Opens an address of the panel in place. */
export function navigate(address: string, how: 'push' | 'replace' = 'push') {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** The query of the address. */
export function useAddress(): string {
  const [address, setAddress] = useState(location.search);
  useEffect(() => {
    const changed = () => setAddress(location.search);
    for (const event of [CHANGED, 'popstate']) addEventListener(event, changed);
    return () => {
      for (const event of [CHANGED, 'popstate']) removeEventListener(event, changed);
    };
  }, []);
  return address;
}

"use client";

import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { theme } from "./theme";

/** Fresh enough not to ask again what the server just put on the page. */
const STALE_AFTER_MS = 3_000;

/** What every page needs around it in the browser. `nonce` is the one of this response's security policy. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: STALE_AFTER_MS, retry: 1 } } }),
  );
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" {...(nonce ? { getStyleNonce: () => nonce } : {})}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}

"use client";

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Problem } from "@/lib/http/client";
import { generateKey } from "@/lib/idempotency/key-generate";
import { operationPath } from "@/lib/lookup/client";

/** Saves the body's exact bytes. A reveal of its own, under the reason already given. */
export function DownloadButton({ tenantId, id, reason }: { tenantId: string; id: string; reason: string }) {
  const t = useTranslations("key");
  const [key] = useState(() => generateKey());
  const download = useMutation({ mutationFn: () => saveBody(tenantId, id, reason, key), gcTime: 0 });
  return (
    <Button variant="default" size="xs" loading={download.isPending} onClick={() => download.mutate()}>
      {download.error ? t("reveal.downloadFailed") : t("reveal.download")}
    </Button>
  );
}

async function saveBody(tenantId: string, id: string, reason: string, key: string): Promise<void> {
  const response = await fetch(`/api/v1${operationPath({ tenantId, id })}/reveal`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify({ what: "body", as: "download", reason }),
  });
  if (!response.ok) throw new Problem("unexpected_answer", response.status, `HTTP ${response.status}`, false, null);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `body-${id}.bin`;
  link.click();
  URL.revokeObjectURL(address);
}

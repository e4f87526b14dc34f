"use client";

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Problem } from "@/lib/http/client";
import { generateKey } from "@/lib/idempotency/key-generate";
import { operationPath } from "@/lib/lookup/client";

/** What a downloaded body is always served as. Any other answer is not the file, whatever its status. */
const FILE_TYPE = "application/octet-stream";

/** Saves the body's exact bytes. A reveal of its own, under the reason already given. */
export function DownloadButton({ tenantId, id, reason }: { tenantId: string; id: string; reason: string }) {
  const t = useTranslations("key");
  const download = useMutation({ mutationFn: () => saveBody(tenantId, id, reason), gcTime: 0 });
  return (
    <Button variant="default" size="xs" loading={download.isPending} onClick={() => download.mutate()}>
      {download.error ? t("reveal.downloadFailed") : t("reveal.download")}
    </Button>
  );
}

/** Each press is a reveal of its own: its answer is not kept, so its key used again would bring no file. */
async function saveBody(tenantId: string, id: string, reason: string): Promise<void> {
  const response = await fetch(`/api/v1${operationPath({ tenantId, id })}/reveal`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": generateKey() },
    body: JSON.stringify({ what: "body", as: "download", reason }),
  });
  const isFile = response.ok && response.headers.get("Content-Type") === FILE_TYPE;
  if (!isFile) throw new Problem("unexpected_answer", response.status, `HTTP ${response.status}`, false, null);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `body-${id}.bin`;
  link.click();
  URL.revokeObjectURL(address);
}

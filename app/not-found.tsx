import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { MessagePage } from "@/components/shell/message-page";

export default async function NotFoundPage() {
  const t = await getTranslations("errors");
  return (
    <MessagePage title={t("missing.title")}>
      <p>{t("missing.meaning")}</p>
      <Link href="/keys">{t("missing.next")}</Link>
    </MessagePage>
  );
}

import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { MessagePage } from "@/components/shell/message-page";

export default async function ForbiddenPage() {
  const t = await getTranslations("errors");
  return (
    <MessagePage title={t("forbidden.title")}>
      <p>{t("forbidden.meaning")}</p>
      <Link href="/keys">{t("forbidden.next")}</Link>
    </MessagePage>
  );
}

import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { LinkForm } from "./link-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("access"))("title") };
}

/** Opening the link spends nothing: mail scanners and previews open links too. The button does. */
export default function LinkPage() {
  return <LinkForm />;
}

export const dynamic = "force-dynamic";

import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { describeCaller } from "@/lib/access/account";
import { pagePrincipal, returnPath } from "@/lib/access/page";
import { NewPasswordForm } from "./new-password-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("access"))("setTitle") };
}

/** Offered after a link was used, so that the next sign-in needs none. */
export default async function PasswordPage({ searchParams }: { searchParams: Promise<{ change?: string }> }) {
  const { email, hasPassword } = await describeCaller(await pagePrincipal());
  if (hasPassword && (await searchParams).change === undefined) redirect(returnPath(undefined));
  return <NewPasswordForm email={email ?? ""} change={hasPassword} />;
}

import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currentPrincipal, returnPath } from "@/lib/access/page";
import { PasswordForm } from "./password-form";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("access"))("title") };
}

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = returnPath((await searchParams).next);
  if ((await currentPrincipal()) !== null) redirect(next);
  return <PasswordForm next={next} />;
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { z } from "zod";
import { BigintId, TenantId } from "@/lib/lookup/schema";
import { Operation } from "../../operation";

const Params = z.object({ tenant: TenantId, id: BigintId });

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("key"))("title") };
}

export default async function KeyPage({ params }: { params: Promise<{ tenant: string; id: string }> }) {
  const parsed = Params.safeParse(await params);
  if (!parsed.success) notFound();
  return <Operation address={{ tenantId: parsed.data.tenant, id: parsed.data.id }} />;
}

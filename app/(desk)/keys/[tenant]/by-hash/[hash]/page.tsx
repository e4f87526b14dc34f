import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { z } from "zod";
import { Digest, TenantId } from "@/lib/lookup/schema";
import { Operation } from "../../../operation";

const Params = z.object({ tenant: TenantId, hash: Digest });
const Query = z.object({ endpoint: z.string().min(1).optional() });

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("key"))("title") };
}

interface KeyByHashPageProps {
  params: Promise<{ tenant: string; hash: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function KeyByHashPage({ params, searchParams }: KeyByHashPageProps) {
  const [path, query] = [Params.safeParse(await params), Query.safeParse(await searchParams)];
  if (!path.success || !query.success) notFound();
  const { tenant, hash } = path.data;
  return <Operation address={{ tenantId: tenant, keyHash: hash, endpoint: query.data.endpoint }} />;
}

"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { z } from "zod";
import button from "@/components/ui/button.module.css";
import { PlainButton } from "@/components/ui/plain-button";
import type { ViewPage } from "@/lib/views/schema";
import { viewsKey, viewsOptions } from "./views";

const SaveView = dynamic(() => import("./save-view").then(({ SaveView }) => SaveView), { ssr: false });

/** Filters kept under a name, one's own and shared ones, and the way to keep the present one. */
export function SavedViews({ page }: { page: z.infer<typeof ViewPage> }) {
  const t = useTranslations("frame");
  const queries = useQueryClient();
  const query = useSearchParams().toString();
  const views = useQuery(viewsOptions(page));
  const [saving, setSaving] = useState(false);
  const done = () => {
    setSaving(false);
    void queries.invalidateQueries({ queryKey: viewsKey(page) });
  };
  return (
    <>
      {views.data?.items.map(({ id, name, query: saved, shared, own }) => (
        <Link
          key={id}
          href={`/${page}?${saved}`}
          className={button.plain}
          aria-current={saved === query ? "true" : undefined}
          title={shared && !own ? t("views.shared") : undefined}
        >
          <bdi>{name}</bdi>
        </Link>
      ))}
      {query === "" || views.data?.items.some((view) => view.query === query) ? null : (
        <PlainButton onClick={() => setSaving(true)}>{t("views.save")}</PlainButton>
      )}
      {saving ? <SaveView page={page} query={query} onDone={done} onClose={() => setSaving(false)} /> : null}
    </>
  );
}

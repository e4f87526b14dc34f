"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { tenantsOptions } from "./tenants";

/** Names tenants; one that is not on the first page of names is shown by the start of its id. */
export function useTenantName(): (tenantId: string) => string {
  const { data } = useQuery(tenantsOptions(""));
  return useCallback(
    (tenantId) => data?.items.find(({ id }) => id === tenantId)?.name ?? `${tenantId.slice(0, 8)}…`,
    [data],
  );
}

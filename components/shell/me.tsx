"use client";

import { createContext, type ReactNode, useContext } from "react";
import { can } from "@/lib/access/rules";
import type { Me, Right } from "@/lib/access/schema";

const MeContext = createContext<Me | null>(null);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** Whether the operator holds a right over a tenant. Decides what is offered; the server decides what is done. */
export function useCan(right: Right, tenantId: string): boolean {
  const me = useContext(MeContext);
  if (!me) throw new Error("useCan needs a MeProvider above it.");
  return can({ kind: me.kind, grants: me.roles }, right, tenantId);
}

import { z } from "zod";
import { TenantId, text } from "@/lib/http/shapes";
import { BigintId, Digest } from "./schema";

/** Path and query that name one operation, as the API's routes read them. */
export const KeyParams = z.object({ tenantId: TenantId, id: BigintId });
export const HashParams = z.object({ tenantId: TenantId, hash: Digest });
export const HashQuery = z.object({ endpoint: text(512).optional() });

/** A route about a path's tenant. */
export const ofTenant = ({ params }: { params: { tenantId: string } }) => params.tenantId;

import { inSandbox } from "@/lib/sandbox/service/api";

export function POST(request: Request): Promise<Response> {
  return inSandbox((api) => api.refund(request));
}

import { inSandbox } from "@/lib/sandbox/service/api";

/** The sandbox's own service, not the desk's: its clients come with an API key, and it keeps the contract itself. */
export function POST(request: Request): Promise<Response> {
  return inSandbox((api) => api.pay(request));
}

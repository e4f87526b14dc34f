import { inSandbox } from "@/lib/sandbox/service/api";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  return inSandbox((api) => api.payment(request, id));
}

import "server-only";
import { createPool } from "@/lib/db/client";
import { env } from "@/lib/env";
import { logger } from "@/lib/http/logger";
import type { IdempotentHandler } from "@/lib/idempotency";
import { bodyKeyRing } from "@/lib/privacy/key-ring";
import { AnswerLost } from "../provider";
import { paymentView, problemAnswer, toResponse } from "./answers";
import { PaymentId } from "./input";
import { payHandler } from "./pay";
import { refundHandler } from "./refund";
import { createService, type Service } from "./service";
import { findPayment } from "./store";

/** The payments service as its clients reach it over HTTP. Authentication comes before anything else. */
export interface SandboxApi {
  service: Service;
  pay(request: Request): Promise<Response>;
  refund(request: Request): Promise<Response>;
  payment(request: Request, id: string): Promise<Response>;
}

export function createSandboxApi(service: Service): SandboxApi {
  const write = (handle: IdempotentHandler) => (request: Request) =>
    authenticated(service, request, (tenant) => handle(request, { tenant }));
  return {
    service,
    pay: write(payHandler(service)),
    refund: write(refundHandler(service)),
    payment: (request, id) =>
      authenticated(service, request, async (tenant) => {
        const isId = PaymentId.safeParse(id).success;
        const payment = isId ? await findPayment(service.db, tenant, { payment: id }) : null;
        return payment ? Response.json(paymentView(payment)) : notFound();
      }),
  };
}

const processWide = globalThis as typeof globalThis & { idemdeskSandbox?: SandboxApi };

/** This process's sandbox; null outside the embedded default. */
export function sandboxApi(): SandboxApi | null {
  const { IDEMDESK_SANDBOX_DATABASE_URL: url } = env();
  if (url === undefined) return null;
  processWide.idemdeskSandbox ??= createSandboxApi(
    createService(createPool(url, { applicationName: "sandbox-payments", statementTimeoutMs: 10_000 }), {
      ring: bodyKeyRing(),
      report: (error) => isAskedFor(error) || logger().warn({ source: "sandbox", error }),
    }),
  );
  return processWide.idemdeskSandbox;
}

/** Faults that the requests themselves ask for are no news. */
function isAskedFor(error: unknown): boolean {
  return error instanceof AnswerLost || (error instanceof DOMException && error.name === "TimeoutError");
}

/** What a route of the sandbox answers: `not_found` where there is no sandbox. */
export function inSandbox(answer: (api: SandboxApi) => Promise<Response>): Promise<Response> {
  const api = sandboxApi();
  return api ? answer(api) : Promise.resolve(notFound());
}

async function authenticated(
  { db, report }: Service,
  { headers }: Request,
  answer: (tenant: string) => Promise<Response>,
): Promise<Response> {
  const key = /^Bearer +(\S+)$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? "";
  try {
    const [tenant] = await db.query<{ id: string }>`SELECT id FROM sandbox.tenant WHERE api_key = ${key}`;
    const response = tenant ? await answer(tenant.id) : unauthorized();
    response.headers.set("Cache-Control", "private, no-store");
    return response;
  } catch (error) {
    report(error);
    return toResponse(problemAnswer(503, "service_unavailable", "The service is not reachable", { retryable: true }));
  }
}

function unauthorized(): Response {
  const response = toResponse(problemAnswer(401, "unauthorized", "Send a valid API key"));
  response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

function notFound(): Response {
  return toResponse(problemAnswer(404, "not_found", "Not found"));
}

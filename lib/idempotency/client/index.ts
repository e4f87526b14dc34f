export type { AttemptRecord } from "./attempt";
export {
  type ClientOptions,
  type IdempotentClient,
  idempotentClient,
  type OperationRequest,
  type OperationResult,
  OutcomeUnknownError,
} from "./client";
export { type AttemptAnswer, type Decision, decide } from "./policy";
export { browserStore, memoryStore, type OperationStore, type PendingOperation } from "./store";

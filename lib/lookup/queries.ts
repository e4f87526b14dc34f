import "server-only";

/** The questions of the look-up, each under the caller's scope and said in a reader's language. */
export { readChain } from "./queries/chain";
export { readDetail } from "./queries/detail";
export { searchKeys } from "./queries/search";

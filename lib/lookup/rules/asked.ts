import type { SearchInput } from "../schema";
import { type Reading, recognise } from "./recognise";

/** An amount is looked for with its currency, in a time range: alone it would name half a day's business. */
export interface AmountAsked {
  as: "amount";
  amount: number;
  currency: string;
}

export type Asked = Reading | AmountAsked;

const named = [
  "key",
  "keyHash",
  "keyHashPrefix",
  "fingerprint",
  "requestId",
  "traceId",
  "providerReference",
  "reference",
  "customer",
] as const;

/**
 * What a search asks for. Members given by name must all hold (groups); a pasted text holds if any of its readings does
 * (one group of several). No group at all is a list.
 */
export function groupsOf(input: SearchInput): Asked[][] {
  const groups: Asked[][] = [];
  if (input.text !== undefined) groups.push(recognise(input.text));
  for (const as of named) {
    const value = input[as];
    if (value !== undefined) groups.push([{ as, value }]);
  }
  const { amount, currency } = input;
  if (amount !== undefined && currency !== undefined) groups.push([{ as: "amount", amount, currency }]);
  return groups;
}

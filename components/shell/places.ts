import IconKey from "@tabler/icons-react/icons/IconKey";
import IconListCheck from "@tabler/icons-react/icons/IconListCheck";
import type { Right } from "@/lib/access/schema";

/** The pages of the desk, the right each asks for, and the letter that follows `g` to go there. */
export const places = [
  { name: "keys", href: "/keys", right: "keys.read", letter: "k", icon: IconKey },
  { name: "audit", href: "/audit", right: "audit.read_own", letter: "a", icon: IconListCheck },
] as const satisfies readonly { name: string; href: string; right: Right; letter: string; icon: typeof IconKey }[];

export type Place = (typeof places)[number];

/** The pages an operator with these rights can open. */
export function placesFor(rights: readonly Right[]): Place[] {
  return places.filter(({ right }) => rights.includes(right));
}

import "server-only";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import type { Reader } from "@/lib/i18n/locale";
import { generationsOf } from "../rules/generations";
import { hintsOf } from "../rules/hints";
import { transitionsOf } from "../rules/transitions";
import type { TwinStory } from "../rules/twins";
import type { Chain, Twin } from "../schema";
import { speaker } from "../speaker";
import { loadPicture } from "./picture";
import { type Address, findSubject } from "./subject";
import { readYardstick } from "./yardstick";

/** Every attempt in order, the changes of state between, other keys that may be the same operation, and the hints. */
export function readChain(scope: Scope, address: Address, reader: Reader): Promise<Chain> {
  return scopedRead(scope, async (tx) => {
    const { subject } = await findSubject(tx, address);
    const { picture, complete } = await loadPicture(tx, subject, await readYardstick(tx));
    const say = speaker(reader);
    const { tenantId, endpoint, keyHash, row } = subject;
    return {
      tenantId,
      endpoint,
      keyHash,
      keyId: row?.id ?? null,
      now: picture.now,
      attempts: picture.attempts,
      transitions: transitionsOf(picture.events),
      generations: generationsOf(picture),
      twins: picture.twins.map(toTwin),
      nearTwins: picture.nearTwins.map(toTwin),
      hints: hintsOf(picture).map(say.hint),
      complete,
    };
  });
}

function toTwin({ deliveredAt: _, eventIds: __, ...twin }: TwinStory): Twin {
  return twin;
}

import "server-only";
import type { Transaction } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import { notFound } from "@/lib/http/errors";
import type { Reader } from "@/lib/i18n/locale";
import { maskedHeaders } from "../rules/headers";
import type { EventRow } from "../rules/model";
import { profileFor } from "../rules/profile";
import { retryNow } from "../rules/retry-now";
import { summaryOf, summaryOfGone, type Yardstick } from "../rules/summary";
import { outcomeOf } from "../rules/twins";
import { verdictOf } from "../rules/verdict";
import type { KeyDetail, KeySummary, Operation } from "../schema";
import { speaker } from "../speaker";
import { readLayout } from "./layout";
import { readNotes } from "./notes";
import { loadPicture, type Subject } from "./picture";
import { readStoredHeaders } from "./stored";
import { type Address, type Addressed, findSubject } from "./subject";
import { readYardstick } from "./yardstick";

/** One operation: its row, what the verdict says, what a retry would get, and what people noted. */
export function readDetail(scope: Scope, address: Address, reader: Reader): Promise<KeyDetail> {
  return scopedRead(scope, async (tx) => {
    const { subject, others } = await findSubject(tx, address);
    const yardstick = await readYardstick(tx);
    const { picture } = await loadPicture(tx, subject, yardstick);
    const verdict = verdictOf(picture);
    if (!verdict) throw notFound();
    const say = speaker(reader);
    const profile = profileFor(subject.endpoint, yardstick.profiles);
    return {
      ...summaryOfSubject(subject, picture.events, yardstick),
      verdict: say.verdict(verdict),
      retryNow: say.retryNow(retryNow(subject.row, profile, yardstick.now)),
      caseId: picture.caseId,
      now: yardstick.now,
      operation: operationOf(picture.events),
      events: { measured: picture.events.length > 0, from: picture.events[0]?.at ?? null },
      bodyCodec: profile.bodyCodec,
      others: others.map((other) => otherSummary(other, yardstick)),
      ...(await readBeside(tx, subject)),
    };
  });
}

async function readBeside(tx: Transaction, subject: Subject) {
  return {
    layout: await readLayout(tx),
    headers: subject.row ? maskedHeaders(await readStoredHeaders(tx, subject.row)) : [],
    notes: await readNotes(tx, subject),
  };
}

function summaryOfSubject(subject: Subject, events: readonly EventRow[], yardstick: Yardstick): KeySummary {
  if (subject.row) return summaryOf(subject.row, yardstick);
  const { state, responseStatus: status } = outcomeOf(events);
  const firstAt = events[0]?.at ?? yardstick.now;
  const fingerprint = events.findLast(({ kind }) => kind === "claimed")?.fingerprint ?? null;
  return summaryOfGone({ ...subject, firstAt, fingerprint, state, status });
}

function otherSummary({ row, hit }: Addressed["others"][number], yardstick: Yardstick): KeySummary {
  return row ? summaryOf(row, yardstick) : summaryOfGone(hit);
}

/** What the events say it was about: the first that says it, since later ones repeat the claim. */
function operationOf(events: readonly EventRow[]): Operation {
  const priced = events.find(({ amount }) => amount !== null);
  return {
    amount: priced?.amount ?? null,
    currency: priced?.currency ?? null,
    customer: events.find(({ customer }) => customer !== null)?.customer ?? null,
    references: [...new Set(events.flatMap(({ references }) => references))],
    providerReference:
      events.findLast(({ providerReference }) => providerReference !== null)?.providerReference ?? null,
  };
}

import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { Stopper } from "@/lib/server/stopper";

test("stops in the opposite order, each once, past one that cannot be stopped", async () => {
  const stopper = new Stopper();
  const stopped: string[] = [];
  const errors: unknown[] = [];
  stopper.add(() => void stopped.push("PostgreSQL"));
  stopper.add(() => Promise.reject(new Error("stuck")));
  stopper.add(async () => {
    await Promise.resolve();
    stopped.push("web");
  });
  await stopper.stop(Promise.resolve(), (error) => errors.push(error));
  expect(stopped).toEqual(["web", "PostgreSQL"]);
  expect(errors).toEqual([new Error("stuck")]);
});

test("what was just being started is stopped too, and nothing after it begins", async () => {
  const stopper = new Stopper();
  const stopped: string[] = [];
  const spawning = new EventEmitter();
  const underway = once(spawning, "spawned").then(() => {
    stopper.add(() => void stopped.push("PostgreSQL"));
    stopped.push("never reached");
  });
  const stopping = stopper.stop(underway, () => undefined);
  spawning.emit("spawned");
  await stopping;
  expect(stopped).toEqual(["PostgreSQL"]);
});

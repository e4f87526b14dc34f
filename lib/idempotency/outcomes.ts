/** Thrown by a handler to say that nothing has happened: the claim is released and `response` is the answer. */
export class NotExecuted extends Error {
  override readonly name = "NotExecuted";

  constructor(readonly response: Response) {
    super("Refused before any effect");
  }
}

/** Thrown by a handler that cannot know whether its effect happened: the operation becomes `unknown`. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** Thrown to leave the row as a process that died would, for fault injection: only recovery resolves it. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";

  constructor(readonly response: Response) {
    super("The handler was abandoned");
  }
}

/** The claim was lost, or its lease would end before the call could: the provider was not called. */
export class EffectRefused extends Error {
  override readonly name = "EffectRefused";
}

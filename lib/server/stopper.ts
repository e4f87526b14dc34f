type Stop = () => Promise<void> | void;

/** What has been started, to be stopped in the opposite order. */
export class Stopper {
  readonly #started: Stop[] = [];
  #stopping = false;

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Takes charge of something just started. Throws once stopping has begun, so that nothing more is started. */
  add(stop: Stop): void {
    this.#started.push(stop);
    if (this.#stopping) throw new Error("stopping");
  }

  /**
   * Stops everything, then what `underway` had just been starting: its own steps fail as their ground is taken away.
   * One that cannot be stopped does not keep the others running.
   */
  async stop(underway: Promise<unknown>, onError: (error: unknown) => void): Promise<void> {
    this.#stopping = true;
    await this.#stopStarted(onError);
    await underway.catch(() => undefined);
    await this.#stopStarted(onError);
  }

  async #stopStarted(onError: (error: unknown) => void): Promise<void> {
    for (let stop = this.#started.pop(); stop; stop = this.#started.pop()) {
      try {
        await stop();
      } catch (error) {
        onError(error);
      }
    }
  }
}

/** A preload: the process's own clock is `SHIFT_MS` wrong, as on a machine whose time was set by hand. */
const shift = Number(process.env.SHIFT_MS);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given: ConstructorParameters<typeof RealDate> | []) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + shift;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;

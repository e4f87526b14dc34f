import { describe, expect, it } from "vitest";
import { showDuration } from "@/lib/i18n/duration";
import { instantMicros, showTime } from "@/lib/i18n/time";

describe("showTime", () => {
  it("says date, time and zone in both languages", () => {
    const at = "2026-12-01T02:30:07.123456Z";
    expect(showTime(at, "en", "UTC", "second")).toEqual({ date: "1 Dec 2026", time: "02:30:07", zone: "UTC" });
    expect(showTime(at, "zh", "Asia/Shanghai", "second")).toEqual({
      date: "2026年12月1日",
      time: "10:30:07",
      zone: "+08:00",
    });
    expect(showTime(at, "en", "America/New_York", "minute")).toEqual({
      date: "30 Nov 2026",
      time: "21:30",
      zone: "−05:00",
    });
  });

  it("keeps microseconds that a Date would drop", () => {
    expect(showTime("2026-12-01T00:00:00.000001Z", "en", "UTC", "microsecond").time).toBe("00:00:00.000001");
    expect(showTime("2026-12-01T00:00:00Z", "en", "UTC", "millisecond").time).toBe("00:00:00.000");
  });

  it("tells the two 01:30 of the repeated hour apart by their offset", () => {
    const [first, second] = ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"].map((at) =>
      showTime(at, "en", "America/New_York", "minute"),
    );
    expect([first?.time, second?.time]).toEqual(["01:30", "01:30"]);
    expect([first?.zone, second?.zone]).toEqual(["−04:00", "−05:00"]);
  });

  it("calls UTC by its name and London in winter by its offset", () => {
    expect(showTime("2026-12-01T00:00:00Z", "en", "Europe/London", "minute").zone).toBe("+00:00");
  });
});

describe("instantMicros", () => {
  it("orders instants one microsecond apart", () => {
    expect(instantMicros("2026-12-01T00:00:00.000002Z") - instantMicros("2026-12-01T00:00:00.000001Z")).toBe(1);
  });
});

describe("showDuration", () => {
  it.each([
    [0.4, "0.4 ms"],
    [38, "38 ms"],
    [1_240, "1.24 s"],
    [59_949, "59.9 s"],
    [3_599_760, "1 h"],
    [22_310_000, "6 h 12 m"],
    [93_600_000, "1 d 2 h"],
  ])("spells %d ms", (ms, spelled) => {
    expect(showDuration(ms, "en")).toBe(spelled);
  });

  it("speaks Chinese", () => {
    expect(showDuration(22_320_000, "zh")).toBe("6 小时 12 分");
  });
});

/** Shapes of the look-up, as the API sends them. */
export * from "./schema/chain";
export * from "./schema/key";
export * from "./schema/reveal";
export * from "./schema/search";
export * from "./schema/values";

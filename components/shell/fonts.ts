import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";

/** The classes that define the two faces' variables, for the document's root. */
export const fontClasses = `${GeistSans.variable} ${GeistMono.variable}`;

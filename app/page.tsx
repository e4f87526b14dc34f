import { redirect } from "next/navigation";

/** The desk opens where its main question is asked. */
export default function HomePage() {
  redirect("/keys");
}

import type { ReactNode } from "react";
import { Logo } from "@/components/shell/logo";
import { PageMessages } from "@/components/shell/page-messages";
import classes from "./sign-in.module.css";

/** One quiet card: the only pages somebody without a session sees. */
export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <p className={classes.brand}>
          <Logo /> Idemdesk
        </p>
        <PageMessages only={["ui", "access"]}>{children}</PageMessages>
      </div>
    </main>
  );
}

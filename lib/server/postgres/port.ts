import { createServer } from "node:net";

/** A TCP port of `host` that was free a moment ago. */
export function freePort(host = "127.0.0.1"): Promise<number> {
  return listenOnce(0, host);
}

/** Whether nothing listens on `port` of `host`; throws where the host is not one of this machine's. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

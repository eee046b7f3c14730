import { createServer } from "node:net";

/** Return true if a process already listens on this port of the machine. */
export const isPortInUse = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(true);
      else reject(new Error(`Port ${port} cannot be opened: ${error.message}`, { cause: error }));
    });
    server.listen(port, () => server.close(() => resolve(false)));
  });

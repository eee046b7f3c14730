import { Socket } from "node:net";

/** Make a port of this machine fail for new connections of this process, as a network does. */
export interface Unreachable {
  /** @param code as Node.js reports it: EHOSTUNREACH, EAI_AGAIN, CERT_HAS_EXPIRED */
  fail(code: string): void;
  pass(): void;
}

/**
 * Replace how sockets connect to a port. The state of a network, a name server or a certificate cannot be changed
 * without rights over the machine; what the driver sees of it is the error of its socket.
 */
export function openUnreachable(port: number): Unreachable {
  const whole = { connect: Socket.prototype.connect };
  return {
    fail(code) {
      // The driver of PostgreSQL connects with a port and a host.
      const connect = function failing(this: Socket, ...args: unknown[]): Socket {
        if (Number(args[0]) !== port) return Reflect.apply(whole.connect, this, args);
        const error = Object.assign(new Error(`connect ${code} 127.0.0.1:${port}`), { code });
        setImmediate(() => this.destroy(error));
        return this;
      };
      Object.assign(Socket.prototype, { connect });
    },
    pass() {
      Object.assign(Socket.prototype, whole);
    },
  };
}

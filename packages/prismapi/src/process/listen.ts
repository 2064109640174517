import type { Server } from 'node:net'

/** @internal */
interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Has a server listen at an address of this machine.
 *
 * @param address a host name or an IP address, and a port; port 0 is any that is free
 * @returns when it listens
 * @throws {Error} one line that says why it cannot listen there, and what to set
 *
 * @example
 * import { createServer } from 'node:http'
 *
 * await listen(createServer(), { host: '127.0.0.1', port: 3000 })
 */
export async function listen(server: Server, { port, host }: Address): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`The port is ${port}. Set PORT to a number from 0 to 65535.`)
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(explain(error, host, port), { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use. Set PORT to a free one.`
  if (code === 'EACCES') return `Port ${port} needs rights that this process does not have. Set PORT to one above 1023.`
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return `HOST ${host} is no address of this machine.`
  return `The server cannot listen at ${host}:${port}: ${message}`
}

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a client and its database, and can be taken away as a server that stops would be. */
export async function startProxy(target: { readonly host: string; readonly port: number }) {
  const sockets = new Set<Socket>()
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        const other = connect(target)
        for (const each of [socket, other]) {
          sockets.add(each)
          each.on('error', () => {})
          each.on('close', () => sockets.delete(each))
        }
        socket.pipe(other).pipe(socket)
      })
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    port,
    stop,
    async start() {
      server = await listen(port)
    },
  }
}

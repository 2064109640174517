import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

// A process of its own, so that nobody else's work delays what it passes on: TCP to a host and port, each chunk later by some
// milliseconds, both ways. As a database is that stands in another building.

const [host = '', port = '', milliseconds = ''] = process.argv.slice(2)

/** Chunks keep their order: timers of the same length end in the order in which they began. */
function pass(from: Socket, to: Socket): void {
  const later = (work: () => void) => void setTimeout(work, Number(milliseconds))
  from.on('data', (chunk) => later(() => to.writable && to.write(chunk)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}

const server = net.createServer({ noDelay: true }, (client) => {
  const database = net.connect({ host, port: Number(port), noDelay: true })
  pass(client, database)
  pass(database, client)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
process.on('disconnect', () => process.exit(0))

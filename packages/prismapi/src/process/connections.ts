import type { Server, ServerResponse } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'

/** The connections of an HTTP server, from the first one on. */
export interface Connections {
  /** Takes no new ones, closes the idle ones, and the others behind their answer; resolved when there is none left. */
  drain(): Promise<void>
}

/** How often connections are looked at that were busy before. */
const sweepMilliseconds = 100
/** How long a connection that is new may take to send something. */
const silenceMilliseconds = 500

export function connectionsOf(server: Server | SecureServer): Connections {
  const open = new Set<Socket>()
  const remember = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  server.on('connection', remember).on('secureConnection', remember)
  return {
    drain: () =>
      new Promise((resolve) => {
        server.prependListener('request', (_request, response) => closeBehind(response))
        for (const socket of open) closeBehind(answerOn(socket))
        const began = performance.now()
        const sweep = setInterval(() => {
          server.closeIdleConnections()
          if (performance.now() - began > silenceMilliseconds) for (const socket of open) destroyIfSilent(socket)
        }, sweepMilliseconds)
        // It is told of a server that did not listen yet, too.
        server.close(() => {
          clearInterval(sweep)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

function closeBehind(response: ServerResponse | null): void {
  if (response && !response.headersSent) response.setHeader('Connection', 'close')
}

// Node counts a connection that has sent nothing among the busy ones.
function destroyIfSilent(socket: Socket): void {
  if (socket.bytesRead === 0) socket.destroy()
}

// Node has no public name for the response that a socket is busy with. Without it, the sweep closes the connection.
const answerOn = (socket: Socket): ServerResponse | null =>
  (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null

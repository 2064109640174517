import type { Writable } from 'node:stream'
import pretty from 'pino-pretty'

/**
 * Takes the lines of a log in JSON, and shows each as a line for people.
 *
 * @example
 * // [12:30:01] INFO: GET /api/v1/posts 200 3.1 ms
 * child.stderr.pipe(shownLog(), { end: false })
 */
export const shownLog = (): Writable =>
  pretty({
    destination: 2,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,requestId,method,path,status,milliseconds',
    messageFormat: ({ msg, method, path, status, milliseconds }) =>
      method === undefined
        ? String(msg)
        : [method, path, status, milliseconds === undefined ? msg : `${milliseconds} ms`].filter(Boolean).join(' '),
  })

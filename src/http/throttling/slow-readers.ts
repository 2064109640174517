import type { Context } from 'koa'
import { addressKey } from './address-key.ts'

/** Watches over answers until their clients have read them. */
export interface SlowReaders {
  /** Watches over the answer of a context; false where its client has left too much unread, and it should get another one. */
  watch(koa: Context): boolean
}

export interface PatienceWithReaders {
  /** A client that takes nothing for so long is cut off. */
  readonly silenceMilliseconds: number
  /** So is one that takes less, from its first silence on. */
  readonly bytesPerSecond: number
  /** How many bytes the answers to one address have, as long as they are not read. */
  readonly mostBytes: number
}

/** What the system's own buffers hold is read, as far as the process can tell. */
const watchedBytes = 65_536

/**
 * An answer is kept until its client has read it, and a client that reads nothing, or a byte now and then, would have the server keep
 * it without an end.
 */
export function makeSlowReaders({ silenceMilliseconds, bytesPerSecond, mostBytes }: PatienceWithReaders): SlowReaders {
  const unread = new Map<string, number>()
  return {
    watch(koa) {
      const { res } = koa
      const bytes = koa.length ?? 0
      if (bytes <= watchedBytes || koa.method === 'HEAD') return true
      const client = addressKey(koa.ip)
      const before = unread.get(client) ?? 0
      if (before > 0 && before + bytes > mostBytes) return false
      unread.set(client, before + bytes)
      // What the connection takes counts as a sign of life, also while it takes a part of what was written.
      res.setTimeout(silenceMilliseconds, () => res.destroy())
      const timer = setTimeout(() => res.destroy(), silenceMilliseconds + (bytes / bytesPerSecond) * 1000)
      timer.unref()
      res.once('close', () => {
        clearTimeout(timer)
        const left = (unread.get(client) ?? 0) - bytes
        if (left > 0) unread.set(client, left)
        else unread.delete(client)
      })
      return true
    },
  }
}

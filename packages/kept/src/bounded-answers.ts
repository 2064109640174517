import { hash } from 'node:crypto'
import type { Version } from '@prismapi/core/database/sql-database'
import type { ReadyAnswer } from '@prismapi/core/http/response/respond'

interface Kept {
  readonly version: Version
  readonly answer: ReadyAnswer
}

/** What an answer takes beside its bytes and its key. */
const overhead = 500
/** Of which it is known that they were asked for. */
const mostKeys = 10_000

/** Answers by their questions, which have so many bytes together at the most: those that were asked for last. */
export class BoundedAnswers {
  private readonly mostBytes: number
  // Two generations, in place of an order of use: to find an answer in the younger one writes nothing.
  private recent = new Map<string, Kept>()
  private older = new Map<string, Kept>()
  private bytes = 0
  private asked = new Set<string>()

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  /** True from the second time on. */
  isAskedAgain(key: string): boolean {
    if (this.has(key)) return true
    const digest = hash('sha1', key, 'base64url')
    if (this.asked.has(digest)) return true
    if (this.asked.size >= mostKeys) this.asked = new Set()
    this.asked.add(digest)
    return false
  }

  /** Is there an answer, of whatever version. */
  has(key: string): boolean {
    return this.recent.has(key) || this.older.has(key)
  }

  /** The answer of that version; null without one. */
  get(key: string, version: Version): ReadyAnswer | null {
    const recent = this.recent.get(key)
    if (recent) return recent.version === version ? recent.answer : null
    const older = this.older.get(key)
    if (older?.version !== version) return null
    this.keep(key, version, older.answer)
    return older.answer
  }

  keep(key: string, version: Version, answer: ReadyAnswer): void {
    const size = sizeOf(key, answer)
    if (size > this.mostBytes / 2) return
    const known = this.recent.get(key)
    if (known) this.bytes -= sizeOf(key, known.answer)
    else if (this.bytes + size > this.mostBytes / 2) {
      this.older = this.recent
      this.recent = new Map()
      this.bytes = 0
    }
    this.older.delete(key)
    this.recent.set(key, { version, answer: { ...answer, bytes: ownBytes(answer.bytes) } })
    this.bytes += size
  }
}

/** Node gives small buffers a part of a larger one, which would be kept as a whole. */
function ownBytes(bytes: Buffer | null): Buffer | null {
  if (bytes === null || bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.alloc(bytes.length)
  bytes.copy(own)
  return own
}

/** A character of a key may take two bytes. */
const sizeOf = (key: string, { bytes }: ReadyAnswer): number => 2 * key.length + (bytes?.length ?? 0) + overhead

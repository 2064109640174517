import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join, relative, sep } from 'node:path'

export interface Change {
  /** Relative to the root, with slashes. */
  readonly path: string
  readonly verb: 'added' | 'changed' | 'removed'
}

interface Folder {
  readonly watcher: FSWatcher
  readonly inode: number
}

const isWatched = (name: string): boolean => /^[^.].*\.(ts|mts|js|mjs|prisma|sql)$/.test(name)
// What is generated and built follows from what is watched.
const isEntered = (name: string): boolean => !/^(?:\..*|node_modules|generated|dist)$/.test(name)

/** Editors save in several steps, and so does git: what happens until it is quiet for so long is one change. */
const quietMs = 100

/**
 * Watches folders of a root, those that come later too, and returns their changes in batches. Each folder has a watcher
 * of its own: on Linux, Node's recursive one loses files that are replaced by renaming, which is how many editors save.
 */
export class FileWatcher {
  readonly #root: string
  readonly #names: readonly string[]
  readonly #folders = new Map<string, Folder>()
  readonly #files = new Set<string>()
  readonly #pending = new Map<string, Change['verb']>()
  #timer: NodeJS.Timeout | null = null
  #wake: (() => void) | null = null
  #isReady = false
  #isClosed = false

  constructor(root: string, names: readonly string[]) {
    this.#root = root
    this.#names = names
    this.#enter(root)
    this.#isReady = true
  }

  /** Each batch when it is asked for; what changes meanwhile is in the next one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly [Change, ...Change[]]> {
    while (!this.#isClosed) {
      const [first, ...others] = this.#timer ? [] : [...this.#pending].map(([path, verb]) => ({ path, verb }))
      if (first) {
        this.#pending.clear()
        yield [first, ...others]
      } else {
        await new Promise<void>((wake) => {
          this.#wake = wake
        })
      }
    }
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    for (const { watcher } of this.#folders.values()) watcher.close()
    this.#wake?.()
  }

  #enter(folder: string): void {
    try {
      this.#watch(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // It went as fast as it had come.
      this.#lose(folder)
    }
  }

  #watch(folder: string): void {
    const watcher = watch(folder, (_event, name) => name !== null && this.#look(folder, name))
    watcher.on('error', () => this.#leave(folder))
    this.#folders.set(folder, { watcher, inode: statSync(folder).ino })
    for (const name of readdirSync(folder)) this.#look(folder, name)
  }

  #look(folder: string, name: string): void {
    if (folder === this.#root && !this.#names.includes(name)) return
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) this.#lose(path)
    else if (stat.isDirectory()) this.#lookInto(path, name, stat.ino)
    else if (isWatched(name)) this.#note(path, this.#files.has(path) ? 'changed' : 'added')
  }

  #lookInto(path: string, name: string, inode: number): void {
    const folder = this.#folders.get(path)
    if (!isEntered(name) || folder?.inode === inode) return
    // Another folder lies where this one lay.
    if (folder) this.#lose(path)
    this.#enter(path)
  }

  #lose(path: string): void {
    const isBelow = (other: string) => other === path || other.startsWith(path + sep)
    for (const file of [...this.#files].filter(isBelow)) this.#note(file, 'removed')
    for (const folder of [...this.#folders.keys()].filter(isBelow)) this.#leave(folder)
  }

  #leave(folder: string): void {
    this.#folders.get(folder)?.watcher.close()
    this.#folders.delete(folder)
  }

  #note(file: string, verb: Change['verb']): void {
    if (verb === 'removed') this.#files.delete(file)
    else this.#files.add(file)
    if (!this.#isReady) return
    const path = relative(this.#root, file).split(sep).join('/')
    this.#pending.set(path, sumOf(this.#pending.get(path), verb))
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#wake?.()
    }, quietMs)
  }
}

/** What two events of one batch come to. */
function sumOf(earlier: Change['verb'] | undefined, later: Change['verb']): Change['verb'] {
  if (earlier === 'added' && later === 'changed') return 'added'
  return earlier === 'removed' && later === 'added' ? 'changed' : later
}

import type { Part, Paths } from './described.ts'

/** The components of a document: parts by family and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, Part>>>>

/** The paths with the operations that an audience is told of. */
export function pathsFor(paths: Paths, has: (operationId: string) => boolean): Paths {
  const shown = Object.entries(paths).map(([url, item]) => [url, itemFor(item, has)] as const)
  return Object.fromEntries(shown.filter(([, item]) => Object.keys(item).some((key) => key !== 'parameters')))
}

const itemFor = (item: Part, has: (operationId: string) => boolean): Part =>
  Object.fromEntries(
    Object.entries(item).filter(([key, part]) => key === 'parameters' || has((part as Part).operationId as string)),
  )

/** What paths refer to. */
export class References {
  readonly #found = new Set<string>()

  add(paths: Paths): void {
    this.#look(paths)
  }

  /** The components that are referred to, and those that these refer to; found in steps. */
  *find(components: Components): Generator<undefined, Components> {
    // A set is walked to its end, also to what is added on the way.
    for (const ref of this.#found) {
      yield
      const [family = '', name = ''] = ref.slice(start.length).split('/')
      this.#look(components[family]?.[name])
    }
    return Object.fromEntries(
      Object.entries(components)
        .map(([family, parts]) => [family, this.#used(family, parts)] as const)
        .filter(([, parts]) => Object.keys(parts).length > 0),
    )
  }

  #used(family: string, parts: Components[string]): Components[string] {
    return Object.fromEntries(Object.entries(parts).filter(([name]) => this.#found.has(`${start}${family}/${name}`)))
  }

  #look(part: unknown): void {
    if (typeof part !== 'object' || part === null) return
    const { $ref } = part as Part
    if (typeof $ref === 'string') this.#found.add(componentOf($ref))
    else for (const name in part) this.#look(part[name as keyof typeof part])
  }
}

const start = '#/components/'

/** A reference may be to a part of a component. */
const componentOf = (ref: string): string => ref.split('/', 4).join('/')

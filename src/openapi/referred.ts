import type { Part, Paths } from './described.ts'

type Components = Readonly<Record<string, Part>>

/** The paths with the operations that an audience is told of. */
export function pathsFor(paths: Paths, has: (operationId: string) => boolean): Paths {
  const shown = Object.entries(paths).map(([url, item]) => [url, itemFor(item, has)] as const)
  return Object.fromEntries(shown.filter(([, item]) => Object.keys(item).some((key) => key !== 'parameters')))
}

const itemFor = (item: Part, has: (operationId: string) => boolean): Part =>
  Object.fromEntries(
    Object.entries(item).filter(([key, part]) => key === 'parameters' || has((part as Part).operationId as string)),
  )

/** The components that paths refer to, and those that these do. */
export function referredComponents(paths: Paths, components: Components): Components {
  const found = new Set<string>()
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { $ref } = part as Part
    if (typeof $ref !== 'string') {
      for (const name in part) look(part[name as keyof typeof part])
      return
    }
    if (found.has($ref)) return
    found.add($ref)
    const [family = '', name = ''] = $ref.slice('#/components/'.length).split('/')
    look(components[family]?.[name])
  }
  look(paths)
  return Object.fromEntries(
    Object.entries(components)
      .map(([family, parts]) => {
        const used = Object.entries(parts).filter(([name]) => found.has(`#/components/${family}/${name}`))
        return [family, Object.fromEntries(used)] as const
      })
      .filter(([, parts]) => Object.keys(parts).length > 0),
  )
}

import { inject, vi } from 'vitest'

// Before each test file. Stryker reckons with a new thread for each run. Here the last one has left its mutant, what it covered, and
// modules that are evaluated.

interface Left {
  __stryker__?: { activeMutant?: unknown; mutantCoverage?: unknown }
  __mutationRun__?: { readonly mutant: string | undefined; readonly isStatic: boolean }
  __vitest_worker__: { readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, Evaluated> } }
}

/** What vitest knows of a module. */
interface Evaluated {
  promise: unknown
  exports: unknown
  evaluated: boolean
  readonly importers: Set<string>
}

const ofTests = /\/(test|prisma|policies|requests|src\/app)\//
/** What it keeps it knows by texts, which are the same in each run. */
const keepsByValue = /\/src\/validation\/rules\/infer-rules\.ts$/

const left = globalThis as unknown as Left
// A mutant in code that runs while its module is loaded.
const isStatic = inject('mutantActivation') === 'static'
const mutant = inject('activeMutant')
const last = left.__mutationRun__
left.__mutationRun__ = { mutant, isStatic }
if (inject('mode') === 'dry-run') {
  // What a file covers is counted by the modules that it has loaded.
  vi.resetModules()
} else if (last && last.mutant !== mutant) {
  if (isStatic || last.isStatic) vi.resetModules()
  else resetTests()
}
if (left.__stryker__) {
  left.__stryker__.mutantCoverage = undefined
  // Code that is evaluated while a module is loaded has its mutant by now, set by Stryker's own file.
  if (!isStatic) left.__stryker__.activeMutant = undefined
}

/**
 * Modules of the framework keep what they work out by the objects that it is about, which tests make. So the tests are evaluated anew,
 * with all that they support themselves with, and the framework is not: most of the time of a run would go there.
 */
function resetTests(): void {
  const known = left.__vitest_worker__.evaluatedModules.idToModuleMap
  const anew = new Set([...known.keys()].filter((id) => ofTests.test(id) || keepsByValue.test(id)))
  // With all that imports them.
  for (const id of anew) for (const importer of known.get(id)?.importers ?? []) anew.add(importer)
  for (const id of anew) {
    const module = known.get(id)
    if (!module || id.includes('/node_modules/')) continue
    Object.assign(module, { promise: undefined, exports: undefined, evaluated: false })
    module.importers.clear()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    activeMutant: string | undefined
    mode: 'dry-run' | 'mutant'
    mutantActivation: 'static' | 'runtime'
  }
}

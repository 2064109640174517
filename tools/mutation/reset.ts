import { inject } from 'vitest'

// Stryker reckons with a new thread for each run. Here the last one has left its mutant, and what it covered.
const { __stryker__: left } = globalThis as { __stryker__?: { activeMutant?: unknown; mutantCoverage?: unknown } }
if (left) {
  left.mutantCoverage = undefined
  // Code that is evaluated while a module is loaded has its mutant by now, set by Stryker's own file.
  if (inject('mutantActivation') !== 'static') left.activeMutant = undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    mutantActivation: 'static' | 'runtime'
  }
}

import type { TestProject } from 'vitest/node'
import { installPackages } from '../../scripts/packages/install.ts'

const folders: Readonly<Record<string, readonly string[]>> = {
  clients: ['test/clients'],
  documentation: ['docs', 'tools'],
  browser: ['docs', 'test/browser/scalar'],
}

/** Before the tests of a project: the packages that `npm ci` of the repository does not bring. */
export default ({ name }: TestProject): void => {
  for (const folder of folders[name] ?? []) installPackages(folder)
}

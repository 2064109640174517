// What `npm run build` has made of each package, as npm packs it: publint looks at what package.json says of it, and attw at its types.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Message, publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { ownPackages } from '../scripts/packages/link.ts'

const root = path.resolve(import.meta.dirname, '..')

/** The sources, which this repository alone asks for, are in no package. */
const isOfSources = ({ code, path: place }: Message): boolean =>
  code === 'EXPORTS_GLOB_NO_MATCHED_FILES' && place.includes('prismapi/source')

/** Relative links of the README that lead nowhere in the repository, where npm makes them lead. */
function deadLinks(pkgDir: string): readonly string[] {
  const readme = readFileSync(path.join(pkgDir, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => to)
  return links.filter((to) => !existsSync(path.join(pkgDir, to))).map((to) => `README.md: there is no ${to}`)
}

for (const [name, title] of ownPackages()) {
  const pkgDir = path.join(root, 'packages', name)
  const manifest = JSON.parse(readFileSync(path.join(pkgDir, 'package.json'), 'utf8'))
  const { messages } = await publint({ pkgDir, pack: 'npm', strict: true })
  const faults = messages.filter((message) => !isOfSources(message)).map((message) => formatMessage(message, manifest))
  // Of packages that other ones of ours import by paths there is nothing to say.
  const isImported = Object.keys(manifest.exports).some((entry) => !/\*|package\.json$/.test(entry))
  const attw = isImported ? spawnSync('attw', ['--pack', pkgDir, '--profile', 'esm-only'], { encoding: 'utf8' }) : null
  faults.push(...deadLinks(pkgDir))
  if (manifest.repository?.directory !== `packages/${name}`)
    faults.push('package.json: repository.directory is not its folder')
  if (attw && attw.status !== 0) faults.push(attw.stdout + attw.stderr)
  console.log([`${title}: ${faults.length === 0 ? 'all is well' : 'faults'}`, ...faults].join('\n'))
  if (faults.length > 0) process.exitCode = 1
}

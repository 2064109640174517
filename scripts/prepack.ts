// npm runs it in the folder of each package that it packs: what goes with the package and is not kept beside it.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { billOfMaterials } from './sbom.ts'

const root = resolve(import.meta.dirname, '..')
const folder = process.cwd()
const { name, files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

interface Manifest {
  readonly name: string
  readonly files: readonly string[]
}

copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
if (files.includes('CHANGELOG.md')) copyFileSync(join(root, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'))
if (files.includes('sbom.cdx.json')) writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(folder))
const missing = ['README.md', ...files].filter((file) => !existsSync(join(folder, file)))
if (missing.length > 0) throw new Error(`${name}: ${missing.join(', ')} is not there. Run npm run build, or write it.`)

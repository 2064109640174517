// npm links the commands of packages that are installed, and not those of the package itself.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../node_modules/.bin/', import.meta.url)
mkdirSync(folder, { recursive: true })
const link = fileURLToPath(new URL('prismapi', folder))
rmSync(link, { force: true })
symlinkSync('../../scripts/prismapi.mjs', link)

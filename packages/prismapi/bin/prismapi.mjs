#!/usr/bin/env node
// `npx prismapi …`: the command line of the project, which is @prismapi/cli, a development dependency. Where the folder has none, as
// before `init`, npm fetches it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const args = process.argv.slice(2)
const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

function installed() {
  for (const from of [join(process.cwd(), 'package.json'), new URL(import.meta.url)]) {
    try {
      const manifest = createRequire(from).resolve('@prismapi/cli/package.json')
      return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin['prismapi-cli'])
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return null
}

const main = installed()
if (main !== null) {
  await import(pathToFileURL(main).href)
} else if (args[0] === undefined || args[0] === 'init' || args[0].startsWith('-')) {
  const npm = ['exec', '--yes', `--package=@prismapi/cli@${own.version}`, '--', 'prismapi-cli', ...args]
  const { status } = spawnSync('npm', npm, { stdio: 'inherit', shell: process.platform === 'win32' })
  process.exitCode = status ?? 1
} else {
  console.error(
    `prismapi ${args[0]} needs the command line, which is a development dependency: npm install --save-dev @prismapi/cli@${own.version}`,
  )
  process.exitCode = 1
}

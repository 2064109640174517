import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const current = Number(process.versions.node.split('.')[0])

/** Variables by which everything that is started runs on one version of Node. */
export type NodeEnv = Readonly<Record<string, string>>

// What is compiled against the headers of 24.19 and later aborts when its objects are collected: nodejs/node#65446.
const sound: Readonly<Record<number, string>> = { 24: '24.18.1' }

/** Node of each major version: this process's own, and the others as the npm registry has them. */
export async function fetchNodes(majors: readonly number[], folder: string): Promise<ReadonlyMap<number, NodeEnv>> {
  const others = majors.filter((major) => major !== current)
  const nodePackage = `node-${process.platform}-${process.arch}`
  const wanted = others.map((major) => `node${major}@npm:${nodePackage}@${sound[major] ?? major}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-save', '--ignore-scripts', ...wanted], { cwd: folder })
  // npm looks for its own settings beside Node: those of this machine are for all versions.
  const { stdout: globalConfig } = await run('npm', ['config', 'get', 'globalconfig'], { cwd: folder })
  const shared = {
    ...prebuilt(folder),
    npm_config_globalconfig: globalConfig.trim(),
    PRISMA_SCHEMA_ENGINE_BINARY: schemaEngine(folder),
  }
  return new Map(majors.map((major) => [major, { ...shared, ...(major === current ? {} : nodeIn(folder, major)) }]))
}

function nodeIn(folder: string, major: number): NodeEnv {
  const home = path.join(folder, `node_modules/node${major}`)
  // Without optimizing, better-sqlite3 is compiled in a third of the time.
  const quick = '-O0 -g0'
  return {
    PATH: `${path.join(home, 'bin')}:${process.env.PATH}`,
    npm_config_nodedir: home,
    CFLAGS: quick,
    CXXFLAGS: quick,
  }
}

/** What was compiled for this repository, where prebuild-install looks for a binary before it downloads one. */
function prebuilt(folder: string): NodeEnv {
  const home = path.join(root, 'node_modules/better-sqlite3')
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`
  const archive = path.join(folder, name)
  execFileSync('tar', ['-czf', archive, '-C', home, 'build/Release/better_sqlite3.node'])
  return { npm_config_better_sqlite3_local_prebuilds: folder }
}

/** The stand-in for Prisma's engine runs on this process's Node, for which its own packages were compiled. */
function schemaEngine(folder: string): string {
  const file = path.join(folder, 'schema-engine')
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'scripts/schema-engine.mjs')}" "$@"\n`)
  chmodSync(file, 0o755)
  return file
}

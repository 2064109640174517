import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Variables by which everything that is started runs on one version of Node. */
export type NodeEnv = Readonly<Record<string, string>>

// better-sqlite3 12 that is compiled with later headers aborts the process (nodejs/node#65446), and is refused.
const headers: Readonly<Record<number, string>> = { 24: '24.18.1' }

/** The Node of this process. What was compiled for it here is not compiled again where it is installed. */
export async function thisNode(folder: string): Promise<NodeEnv> {
  mkdirSync(folder, { recursive: true })
  return { ...prebuilt(folder), ...(await settings(folder)) }
}

/** The newest Node of a major version that the npm registry has. */
export async function fetchNode(major: number, folder: string): Promise<NodeEnv> {
  const nodePackage = `npm:node-${process.platform}-${process.arch}`
  const wanted = [`node@${nodePackage}@${major}`, `headers@${nodePackage}@${headers[major] ?? major}`]
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-save', '--ignore-scripts', ...wanted], { cwd: folder })
  return { ...(await settings(folder)), ...nodeIn(path.join(folder, 'node_modules')) }
}

/** npm looks for its own settings beside Node: those of this machine are for all versions. */
async function settings(folder: string): Promise<NodeEnv> {
  const { stdout } = await run('npm', ['config', 'get', 'globalconfig'], { cwd: folder })
  return { npm_config_globalconfig: stdout.trim() }
}

function nodeIn(modules: string): NodeEnv {
  // Without optimizing, better-sqlite3 is compiled in a third of the time.
  const quick = '-O0 -g0'
  return {
    PATH: `${path.join(modules, 'node/bin')}:${process.env.PATH}`,
    npm_config_nodedir: path.join(modules, 'headers'),
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

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkPackages } from '../packages/link.ts'
import { publishOrder, tarballOf } from './packages.ts'

/**
 * Releases the last commit in a clone that pushes to a folder beside it, installs the tarballs in an empty folder and starts the command.
 * All that a release does, but for `npm run check` and the registry; nothing of it stays.
 */
export function rehearse(root: string, version: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'prismapi-release-'))
  const remote = join(folder, 'remote.git')
  const clone = join(folder, 'clone')
  const application = join(folder, 'application')
  const run = (cwd: string, program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    run(folder, 'git', 'clone', '--quiet', '--bare', root, remote)
    run(folder, 'git', 'clone', '--quiet', remote, clone)
    // CI looks at a commit without a branch, which cannot be pushed.
    run(clone, 'git', 'checkout', '--quiet', '-B', 'rehearsal')
    linkPackages(clone)
    console.log(run(clone, process.execPath, '--import', 'tsx', 'scripts/release.ts', version, '--without-check'))
    run(clone, 'git', 'push', '--quiet', '--atomic', 'origin', 'HEAD', `v${version}`)
    const tagged = run(remote, 'git', 'show', `v${version}:package.json`)
    if (JSON.parse(tagged).version !== version) throw new Error(`v${version} has a package.json of another version.`)
    mkdirSync(application)
    writeFileSync(join(application, 'package.json'), '{ "private": true }\n')
    const tarballs = publishOrder(clone).map((name) => join(clone, tarballOf(name, version)))
    run(application, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs)
    run(application, 'node_modules/.bin/prismapi', '--help')
    console.log(`Rehearsed: v${version} was pushed to a folder, installed from its tarballs, and its command started.`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// `npm run nightly -- programs`: installs, by apt-get, the servers that later jobs start and this machine lacks.
import { execFileSync } from 'node:child_process'
import { hasProgram, packageOf } from '../scaling/programs.ts'

const programs = process.argv.slice(2)
const missing = programs.filter((name) => !hasProgram(name))
const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']

/** Without questions: nobody is there in the night. */
function aptGet(...args: readonly string[]): void {
  const [program = '', ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args]
  execFileSync(program, rest, { stdio: 'inherit' })
}

if (missing.length > 0) {
  aptGet('update')
  aptGet('install', '-y', ...missing.map(packageOf))
}
const lacked = programs.filter((name) => !hasProgram(name))
console.log(`There were ${programs.length - missing.length}, installed: ${missing.join(', ') || 'none'}.`)
if (lacked.length > 0) throw new Error(`${lacked.join(', ')} cannot be installed.`)

import { execFileSync } from 'node:child_process'

/** The ids of the processes that this one has started of the example, as its workers. */
export function workersOf(pid: number): number[] {
  return processes()
    .filter(({ parent, args }) => parent === pid && isExample(args))
    .map((each) => each.pid)
}

/** The process of the example that this one has started, by npm and a shell. */
export function exampleBelow(pid: number): number {
  const all = processes()
  const children = all.filter(({ parent }) => parent === pid)
  const found = children.find(({ args }) => isExample(args))
  if (found) return found.pid
  return children.map((each) => exampleBelow(each.pid)).find((id) => id > 0) ?? 0
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const isExample = ([program = '', ...args]: readonly string[]): boolean =>
  /\bnode$/.test(program) && args.some((arg) => arg.endsWith('src/app/main.ts'))

function processes() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, ...args] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), args }
  })
}
